-- Which sagas are due. KEYS: due sets. ARGV: until when, how many of each set; then per set the score and the id after
-- which to go on (both empty: from the beginning). Returns per set: ids and scores in turn, at last 1 if there may be
-- more. Entries that are earlier than their saga's wake-up time are put right, and so met again when that has come.

-- A set in which everything is early is put right in several calls: each holds up the server for a few milliseconds.
local LOOKS_MAX = 2000

-- The wake-up time of the saga itself; the index's if it cannot be read, so that somebody looks at it.
local function trueWakeUp(key, indexed)
  local last = lastOf(key)
  if last == false then return NEVER end
  if not isText(last) then return indexed end
  if isTombstone(last) then return NEVER end
  return wakeUpOf(last)
end

-- Whether the entries were all right; how many of them are, from the first on; and the number of those looked at.
local function putRight(set, entries)
  local bucket, sound = bucketOf(set), true
  local leading = 0
  for i = 1, #entries, 2 do
    local id, indexed = entries[i], tonumber(entries[i + 1])
    local wakes = trueWakeUp(bucket .. ':' .. id, indexed)
    if wakes == NEVER then call('ZREM', set, id)
    elseif wakes > indexed then call('ZADD', set, wakes, id) end
    sound = sound and wakes <= indexed
    if sound then leading = i + 1 end
  end
  return sound, leading
end

local limit = tonumber(ARGV[2])

local function page(set, score, id)
  local looks = 0
  while true do
    local from = score == '' and 0 or countUpTo(set, score, id, true)
    local entries = call('ZRANGE', set, from, from + limit - 1, 'WITHSCORES')
    local more = #entries == 2 * limit and 1 or 0
    while #entries > 0 and tonumber(entries[#entries]) > tonumber(ARGV[1]) do
      entries[#entries], entries[#entries - 1], more = nil, nil, 0
    end
    local sound, leading = putRight(set, entries)
    looks = looks + limit
    if sound or looks >= LOOKS_MAX then
      if not sound then
        for i = #entries, leading + 1, -1 do entries[i] = nil end
        more = 1
      end
      entries[#entries + 1] = more
      return entries
    end
  end
end

local pages = {}
for i, set in ipairs(KEYS) do pages[i] = page(set, ARGV[1 + 2 * i], ARGV[2 + 2 * i]) end
return pages
