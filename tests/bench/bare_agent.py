"""The least that a server of the official package can be: one tool, over stdin and stdout."""

from mcp.server import MCPServer

server = MCPServer("bare")


@server.tool()
def hello(name: str) -> str:
    """Say hello."""
    return name


if __name__ == "__main__":
    server.run()
