from tests.web.conftest import host, join, server, stranger, table

__all__ = ["host", "join", "server", "stranger", "table"]
