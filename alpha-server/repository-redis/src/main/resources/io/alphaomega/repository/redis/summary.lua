-- What is shown of one saga. KEYS: it. Returns header and summary, empty ones if they cannot be read; nothing if there is
-- no such saga, or its tombstone only.
local last = lastOf(KEYS[1])
if not last or (isText(last) and isTombstone(last)) then return {} end
return { summaryOf(KEYS[1]) }
