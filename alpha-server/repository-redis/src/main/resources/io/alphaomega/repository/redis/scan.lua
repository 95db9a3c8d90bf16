-- Reads sorted sets in order. KEYS: the sets. ARGV: 'oldest' or 'newest' first, the score at which to stop, how many of
-- each set, 1 to get the summaries; then per set the score and the id after which to go on (oldest first, both empty:
-- from the beginning; newest first, an empty id is before all others of its score). Returns per set: id, score and, if wanted, header and summary in turn, at last 1 if there may be
-- more.
local newest, stop, limit, summaries = ARGV[1] == 'newest', tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1'

local function entriesOf(set, score, id)
  if not newest then
    local from = score == '' and 0 or countUpTo(set, score, id, true)
    return call('ZRANGE', set, from, from + limit - 1, 'WITHSCORES')
  end
  local count = countUpTo(set, score, id, false)
  if count == 0 then return {} end
  local oldestFirst = call('ZRANGE', set, math.max(0, count - limit), count - 1, 'WITHSCORES')
  local entries = {}
  for i = #oldestFirst - 1, 1, -2 do
    entries[#entries + 1] = oldestFirst[i]
    entries[#entries + 1] = oldestFirst[i + 1]
  end
  return entries
end

local function page(set, score, id)
  local entries = entriesOf(set, score, id)
  local found = {}
  for i = 1, #entries, 2 do
    local at = tonumber(entries[i + 1])
    if (newest and at < stop) or (not newest and at >= stop) then
      found[#found + 1] = 0
      return found
    end
    found[#found + 1] = entries[i]
    found[#found + 1] = entries[i + 1]
    if summaries then
      local key = bucketOf(set) .. ':' .. entries[i]
      local last, header = lastOf(key), pcall('LINDEX', key, 0)
      local known = isText(last) and isText(header) and not isTombstone(last) and #last >= 40
      found[#found + 1] = known and header or ''
      found[#found + 1] = known and sub(last, 1, 40 + unpack('>H', last, 39)) or ''
    end
  end
  found[#found + 1] = #entries == 2 * limit and 1 or 0
  return found
end

local pages = {}
for i, set in ipairs(KEYS) do pages[i] = page(set, ARGV[3 + 2 * i], ARGV[4 + 2 * i]) end
return pages
