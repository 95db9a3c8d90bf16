-- Replaces sagas that have ended by their tombstones. KEYS: the sagas; then perhaps others, only declared. ARGV: the
-- time before which they must have ended, the token of the tombstones; then per saga the member of the index by which it
-- was found. Returns how many were replaced.

-- As far as a script sees. What has been deleted by hand is damaged as well.
local function isDamaged(key, last)
  if not isText(last) or isTooShort(last) then return true end
  return not isTombstone(last) and sub(call('LINDEX', key, '0'), 1, 1) ~= 'H'
end

-- It would be met again and again. It is only found among those of its state from now on, by whoever looks into it.
local function setAside(key, member)
  removeFromIndex(key, { member })
  if sub(member, 1, 1) == 'f' then addToIndex(key, { 's' .. sub(member, 2) }) end
end

local function isInTime(last) return number(endOf(last)) < number(ARGV[1]) end

local function purge(key, last)
  local id = idOf(key)
  call('RPUSH', key, 'T' .. sub(last, 2, 5) .. ARGV[2] .. string.rep('\0', 6) .. sub(last, 20, 27))
  call('LTRIM', key, '-1', '-1')
  addToIndex(key, { 'g' .. endOf(last) .. id })
  removeFromIndex(key, { membersOf(id, last) })
  removeFromIndex(key, markMembersOf(id, last))
end

local purged = 0
for i = 1, #ARGV - 2 do
  local key, member = KEYS[i], ARGV[2 + i]
  local last = lastOf(key)
  if isDamaged(key, last) then
    setAside(key, member)
  elseif not isTombstone(last) and isInTime(last) then
    purge(key, last)
    purged = purged + 1
  elseif isTombstone(last) or member ~= membersOf(idOf(key), last) then -- What was found is not so.
    removeFromIndex(key, { member })
  end
end
return purged
