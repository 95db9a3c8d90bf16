-- Replaces sagas that have ended by their tombstones. KEYS: the sagas; then perhaps others, only declared. ARGV: the
-- time before which they must have ended, the token of the tombstones; then per saga the member of the index by which it
-- was found. Returns how many were replaced.
-- Whether it may go, as far as a script sees: a damaged one stays for whoever looks into it.
local function mayGo(key, last)
  return isText(last) and not isTombstone(last) and not isTooShort(last) and number(endOf(last)) < number(ARGV[1])
    and sub(call('LINDEX', key, '0'), 1, 1) == 'H'
end

local purged = 0
for i = 1, #ARGV - 2 do
  local key = KEYS[i]
  local id, last = idOf(key), lastOf(key)
  if mayGo(key, last) then
    call('RPUSH', key, 'T' .. sub(last, 2, 5) .. ARGV[2] .. string.rep('\0', 6) .. sub(last, 20, 27))
    call('LTRIM', key, '-1', '-1')
    addToIndex(key, { 'g' .. endOf(last) .. id })
    removeFromIndex(key, membersOf(id, last))
    removeFromIndex(key, markMembersOf(id, last))
    purged = purged + 1
  else
    removeFromIndex(key, { ARGV[2 + i] }) -- Nothing has ended there, or it is damaged: it would be met again and again.
  end
end
return purged
