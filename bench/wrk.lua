-- Sends the requests of a file in turn, see bench/load.ts, and prints what was measured as one line of JSON.
local requests = {}
local next = 0

function init(args)
  for line in io.lines(args[1]) do
    local method, path, authorization, tag, body = line:match("^(.-)\t(.-)\t(.-)\t(.-)\t(.*)$")
    local headers = {}
    if authorization ~= "" then headers["Authorization"] = authorization end
    if tag ~= "" then headers["If-None-Match"] = tag end
    if body ~= "" then headers["Content-Type"] = "application/json" else body = nil end
    requests[#requests + 1] = wrk.format(method, path, headers, body)
  end
end

function request()
  next = next % #requests + 1
  return requests[next]
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"microseconds":%d,"errors":%d,"p50":%d,"p99":%d,"max":%d}\n',
    summary.requests, summary.duration, e.connect + e.read + e.write + e.status + e.timeout,
    latency:percentile(50), latency:percentile(99), latency.max))
end
