"""A model that real agents talk to over loopback: asks to run one command, then says that it is done.

Speaks what Claude Code (Anthropic Messages) and Codex (OpenAI Responses) stream. Ends with its parent.
Usage: model.py PORT
"""

import ctypes
import json
import signal
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PR_SET_PDEATHSIG = 1
COMMAND = "touch made-by-agent"
LAST_WORDS = "The file is there."


class Model(BaseHTTPRequestHandler):
    def log_message(self, *_args):
        pass

    def do_HEAD(self):
        self.answer(b"", "text/plain")

    def do_GET(self):
        self.answer(b"{}", "application/json")

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        if self.path.startswith("/v1/messages"):
            if "count_tokens" in self.path:
                self.answer(b'{"input_tokens":1}', "application/json")
            else:
                self.stream(messages(request), request.get("stream"))
        elif self.path.startswith("/v1/responses"):
            self.stream(responses(request), True)
        else:
            self.answer(b"{}", "application/json")

    def stream(self, events, is_stream):
        if not is_stream:
            text = {"type": "text", "text": "A task"}
            usage = {"input_tokens": 1, "output_tokens": 1}
            whole = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [text],
                     "stop_reason": "end_turn", "stop_sequence": None, "usage": usage}
            return self.answer(json.dumps(whole).encode(), "application/json")
        lines = (f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
        self.answer("".join(lines).encode(), "text/event-stream")

    def answer(self, body, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def messages(request):
    tools = {tool.get("name") for tool in request.get("tools") or []}
    last = request["messages"][-1]["content"]
    has_result = isinstance(last, list) and any(part.get("type") == "tool_result" for part in last)
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "m", "type": "message", "role": "assistant", "model": request.get("model"), "content": [],
               "stop_reason": None, "stop_sequence": None, "usage": usage}
    yield {"type": "message_start", "message": message}
    if "Bash" in tools and not has_result:
        stop = "tool_use"
        block = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {}}
        words = json.dumps({"command": COMMAND, "description": "Make a file"})
        delta = {"type": "input_json_delta", "partial_json": words}
    else:
        stop = "end_turn"
        block = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": LAST_WORDS}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    yield {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage}
    yield {"type": "message_stop"}


def responses(request):
    tools = {tool.get("name") for tool in request.get("tools") or []}
    given = request.get("input", [])
    has_result = any(isinstance(item, dict) and item.get("type", "").endswith("_output") for item in given)
    escalate = {"sandbox_permissions": "require_escalated", "justification": "To make a file"}
    calls = {"exec_command": {"cmd": COMMAND, **escalate}, "shell_command": {"command": COMMAND, **escalate},
             "shell": {"command": ["sh", "-c", COMMAND], **escalate}}
    tool = next((name for name in calls if name in tools), None)
    if tool and not has_result:
        item = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": tool,
                "arguments": json.dumps(calls[tool]), "status": "completed"}
    else:
        part = {"type": "output_text", "text": LAST_WORDS, "annotations": []}
        item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}
    response = {"id": "resp_1", "object": "response", "model": request.get("model")}
    yield {"type": "response.created", "response": {**response, "status": "in_progress", "output": []}}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    usage = {"input_tokens": 1, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 1,
             "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 2}
    yield {"type": "response.completed",
           "response": {**response, "status": "completed", "output": [item], "usage": usage}}


if __name__ == "__main__":
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Model).serve_forever()
