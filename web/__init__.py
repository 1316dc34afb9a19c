"""The pages on phones and the TV, and the JSON API behind them. `API.md` tells what can be asked, `server.py` starts it."""
