-- Appends. KEYS: a saga per item; then perhaps others, only declared. ARGV: per item the version that the caller
-- expects (empty: none), the record, the header. Returns of each item that conflicts its number and the saga's version.

local function begin(key, record, header)
  local bucket, id, begun = bucketOf(key), idOf(key), beginOf(header)
  local wakes, ended = wakeUpOf(record), endOf(record)
  if wakes ~= NEVER then call('ZADD', bucket .. '/due', wakes, id) end
  if ended ~= NEVER then call('ZADD', bucket .. '/ended', ended, id) end
  call('ZADD', bucket .. '/state/' .. stateOf(record), begun, id)
  for _, service in ipairs(servicesOf(header)) do call('ZADD', bucket .. '/service/' .. service, begun, id) end
  call('RPUSH', key, header, record)
end

-- Returns whether the time of the begin has changed.
local function replaceHeader(key, header)
  local bucket, id, begun = bucketOf(key), idOf(key), beginOf(header)
  local before = call('LINDEX', key, 0)
  local moved = beginOf(before) ~= begun
  local left = {}
  for _, service in ipairs(servicesOf(before)) do left[service] = true end
  for _, service in ipairs(servicesOf(header)) do
    if moved or not left[service] then call('ZADD', bucket .. '/service/' .. service, begun, id) end
    left[service] = nil
  end
  for service in next, left do call('ZREM', bucket .. '/service/' .. service, id) end
  call('LSET', key, 0, header)
  return moved
end

local function reindex(key, last, record, header)
  local bucket, id, before, after = bucketOf(key), idOf(key), stateOf(last), stateOf(record)
  local moved = sub(last, 31, 38) ~= sub(record, 31, 38) and replaceHeader(key, header)
  if before ~= after then call('ZREM', bucket .. '/state/' .. before, id) end
  if before ~= after or moved then call('ZADD', bucket .. '/state/' .. after, beginOf(header), id) end
  if sub(last, 15, 22) ~= sub(record, 15, 22) then
    local ended = endOf(record)
    if ended ~= NEVER then
      call('ZADD', bucket .. '/ended', ended, id)
    else
      call('ZREM', bucket .. '/ended', id)
    end
  end
end

-- The index of wake-up times may be early: a later one is written when the earlier has come, by due.lua.
local function wake(key, was, is)
  if is == NEVER then
    call('ZREM', bucketOf(key) .. '/due', idOf(key))
  elseif is < was then
    call('ZADD', bucketOf(key) .. '/due', 'LT', is, idOf(key))
  end
end

local function continue(key, last, record, header)
  if sub(last, 14, 22) ~= sub(record, 14, 22) or sub(last, 31, 38) ~= sub(record, 31, 38) then
    reindex(key, last, record, header)
  end
  if sub(last, 23, 30) ~= sub(record, 23, 30) then wake(key, wakeUpOf(last), wakeUpOf(record)) end
  -- Last: if something above fails, the saga is where it was, and an index at most too early.
  call('RPUSH', key, record)
end

local conflicts = {}
for i = 1, #ARGV / 3 do
  local key, expected, record, header = KEYS[i], ARGV[3 * i - 2], ARGV[3 * i - 1], ARGV[3 * i]
  local last = lastOf(key)
  if isText(last) then
    local actual = versionOf(last)
    if actual == expected then
      continue(key, last, record, header)
    else
      conflicts[#conflicts + 1] = i
      conflicts[#conflicts + 1] = actual
    end
  elseif last == false and expected == '' then
    begin(key, record, header)
  else
    -- No saga, or something that is none: whoever loads it is told.
    conflicts[#conflicts + 1] = i
    conflicts[#conflicts + 1] = ''
  end
end
return conflicts
