"""A model that real agents talk to over loopback: asks to run one command, then says that it is done.

Speaks what Claude Code (Anthropic Messages), Codex (OpenAI Responses), opencode (OpenAI Chat Completions)
and Gemini CLI stream. aider gives its model no tools: the one called EDITOR answers with a file to write.
Ends with its parent. Usage: model.py PORT
"""

import ctypes
import json
import signal
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PR_SET_PDEATHSIG = 1
# Seconds before an answer begins. An agent shows that it works only while there is something to wait for.
THINKING = 1.5
COMMAND = "touch made-by-agent"
LAST_WORDS = "The file is there."
EDITOR = "editor"
EDIT = "I will make it.\n\nmade-by-agent\n```\nmade\n```\n"


class Model(BaseHTTPRequestHandler):
    def log_message(self, *_args):
        pass

    def do_HEAD(self):
        self.answer(b"", "text/plain")

    def do_GET(self):
        self.answer(b"{}", "application/json")

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        path = self.path.split("?")[0]
        if path == "/v1/messages/count_tokens":
            self.whole({"input_tokens": 1})
        elif path == "/v1/messages" and not request.get("stream"):
            self.whole(message([{"type": "text", "text": "A task"}], "end_turn"))
        elif path == "/v1/messages":
            self.stream(messages(request))
        elif path == "/v1/responses":
            self.stream(responses(request))
        elif path == "/v1/chat/completions":
            self.stream(completions(request))
        elif path.endswith(":countTokens"):
            self.whole({"totalTokens": 1})
        elif path.endswith(":generateContent"):
            self.whole(contents(request))
        elif path.endswith(":streamGenerateContent"):
            self.stream([contents(request)])
        else:
            self.whole({})

    def whole(self, value):
        self.answer(json.dumps(value).encode(), "application/json")

    def stream(self, events):
        time.sleep(THINKING)
        self.answer("".join(map(line, events)).encode(), "text/event-stream")

    def answer(self, body, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def line(event):
    """Of a stream of events, which name their type in one protocol and do without in another."""
    words = event if isinstance(event, str) else json.dumps(event)
    name = f"event: {event['type']}\n" if "type" in event else ""
    return f"{name}data: {words}\n\n"


def message(content, stop):
    usage = {"input_tokens": 1, "output_tokens": 1}
    return {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": content,
            "stop_reason": stop, "stop_sequence": None, "usage": usage}


def messages(request):
    tools = {tool.get("name") for tool in request.get("tools") or []}
    last = request["messages"][-1]["content"]
    has_result = isinstance(last, list) and any(part.get("type") == "tool_result" for part in last)
    yield {"type": "message_start", "message": message([], None)}
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
    usage = {"input_tokens": 1, "output_tokens": 1}
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


def completions(request):
    tools = {tool["function"]["name"] for tool in request.get("tools") or []}
    has_result = any(message.get("role") == "tool" for message in request["messages"])
    if request.get("model") == EDITOR:
        delta, end = {"content": EDIT}, "stop"
    elif "bash" in tools and not has_result:
        words = json.dumps({"command": COMMAND, "description": "Make a file"})
        function = {"name": "bash", "arguments": words}
        call = {"index": 0, "id": "call_1", "type": "function", "function": function}
        delta, end = {"tool_calls": [call]}, "tool_calls"
    else:
        delta, end = {"content": LAST_WORDS}, "stop"
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": request.get("model")}
    yield {**chunk, "choices": [{"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": None}]}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    yield {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": end}], "usage": usage}
    yield "[DONE]"


def contents(request):
    declared = [tool.get("functionDeclarations") or [] for tool in request.get("tools") or []]
    tools = {function["name"] for functions in declared for function in functions}
    parts = [part for content in request.get("contents", []) for part in content.get("parts", [])]
    has_result = any("functionResponse" in part for part in parts)
    if "run_shell_command" in tools and not has_result:
        words = {"command": COMMAND, "description": "Make a file"}
        part = {"functionCall": {"name": "run_shell_command", "args": words}}
    elif tools:
        part = {"text": LAST_WORDS}
    else:
        # It asks beside the conversation which model to take and who is to speak next.
        part = {"text": json.dumps({"reasoning": "simple", "model_choice": "flash", "complexity_score": 1,
                                    "complexity_reasoning": "simple", "next_speaker": "user"})}
    candidate = {"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    return {"candidates": [candidate], "usageMetadata": usage}


if __name__ == "__main__":
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Model).serve_forever()
