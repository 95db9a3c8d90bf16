-- One step of a branch: the fence's decision, its row and the business, which the function omega_business above is, with
-- nothing in between. KEYS: the row, then the business's. ARGV: the step, how long the row lives in milliseconds, how many
-- bytes of a reply are kept (-1: none), whether the forward call's field must be there, then the business's.
local row, step, lifetime, limit, expected = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4] == '1'

local function get(field)
  return redis.call('HGET', row, field)
end

local function set(field, value)
  redis.call('HSET', row, field, value)
  redis.call('PEXPIRE', row, lifetime)
end

local function from(first, list)
  local rest = {}
  for i = first, #list do rest[i - first + 1] = list[i] end
  return rest
end

-- A command that answers an error has done nothing.
local function noting(call, called)
  return function(command, ...)
    local reply = call(command, ...)
    if type(reply) ~= 'table' or not reply.err then called[command] = true end
    return reply
  end
end

local function writes(command)
  local known, info = pcall(redis.call, 'COMMAND', 'INFO', command)
  local about = known and info[1]
  if not about or (about[10] and #about[10] > 0) then return true end -- Nobody knows, or it depends on the word after it.
  for _, flag in ipairs(about[3]) do
    local name = type(flag) == 'table' and flag.ok or flag
    if name == 'write' or name == 'may_replicate' then return true end
  end
  return false
end

local function wrote(called)
  for command in pairs(called) do
    if writes(command) then return true end
  end
  return false
end

-- The field is there first: what keeps Redis from writing it keeps the business from running. No error takes back what was
-- written before it.
local function run()
  local called = {}
  local noted = setmetatable(
    {call = noting(redis.call, called), pcall = noting(redis.pcall, called)}, {__index = redis})
  set(step, step)
  local returned, reply = pcall(omega_business, from(2, KEYS), from(5, ARGV), noted, noted)
  redis.setresp(2)
  if returned and not (type(reply) == 'table' and reply.err) then
    if limit >= 0 then
      local packed = cmsgpack.pack(reply)
      if #packed <= limit then set(step .. ':reply', packed) else set(step .. ':lost', #packed) end
    end
    return {'RUN', reply}
  end
  local message = string.sub(type(reply) == 'table' and tostring(reply.err) or tostring(reply), 1, 500)
  if wrote(called) then
    set(step .. ':torn', message)
    return {'TORN', message}
  end
  redis.call('HDEL', row, step)
  return {'FAILED', message}
end

local function torn(which)
  local message = get(which .. ':torn')
  return message and {'TORN', message}
end

local function again()
  local lost, kept = get(step .. ':lost'), get(step .. ':reply')
  if lost then return {'LOST', lost} end
  local reply = nil
  if kept then reply = cmsgpack.unpack(kept) end
  return torn(step) or {'AGAIN', reply}
end

local forward = get('forward')
local steps = {}

function steps.forward()
  if not forward then return run() end
  if forward ~= 'forward' or get('compensation') then return {'REFUSED'} end
  return again()
end

function steps.bar()
  if not forward then set('forward', 'failure') end
  return {forward == 'forward' and 'RAN' or 'BARRED'}
end

function steps.compensation()
  if expected and forward ~= 'forward' then return {'MISSING'} end
  if forward == 'forward' then
    if get('compensation') then return again() end
    return torn('forward') or run()
  end
  if get('compensation') then return {'NOTHING_AGAIN'} end
  if not forward then set('forward', 'compensation') end
  set('compensation', 'compensation')
  return {'NOTHING'}
end

function steps.confirmation()
  if get('confirmation') then return again() end
  if forward ~= 'forward' then return {'MISSING'} end
  return torn('forward') or run()
end

return steps[step]()
