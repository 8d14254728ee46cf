-- What in_redis.py asks: each function is one step that nobody's can come between.
--
--   glassformer:rooms                 sorted set: the codes of rooms, by when they end
--   glassformer:room:<code>           hash: teacher, salt (hexadecimal), version, page, link, seen,
--                                     ends; mark, text, size of the lesson that it lends
--   glassformer:room:<code>:polls     hash: how many options a question has, by name; -3: closed
--   glassformer:room:<code>:votes:<name>   hash: options by voter
--   glassformer:room:<code>:present   hash: "students told" by process
--
-- All keys of a room expire when it ends. Times are seconds of this server's clock. An answer
-- begins with a word: ok, or why not. ARGV: a function's name, a test's clock or "", what it takes.
-- Keys are made here, not declared: this is for one server, not for a Redis Cluster.

local call = redis.call
local ROOMS, ROOM = "glassformer:rooms", "glassformer:room:"
local OK, GONE, FULL = { "ok" }, { "gone" }, { "full" }

local now = tonumber(ARGV[2])
if not now then
  local time = call("TIME")
  now = time[1] + time[2] / 1e6
end

local function polls_of(code) return ROOM .. code .. ":polls" end
local function present_of(code) return ROOM .. code .. ":present" end
local function votes_of(code, name) return ROOM .. code .. ":votes:" .. name end

local function keys_of(code)
  local keys = { ROOM .. code, polls_of(code), present_of(code) }
  for _, name in ipairs(call("HKEYS", polls_of(code))) do
    keys[#keys + 1] = votes_of(code, name)
  end
  return keys
end

local function is_open(code)
  local ends = call("HGET", ROOM .. code, "ends")
  return ends and tonumber(ends) >= now
end

-- A number as an answer: a bare one would lose what stands behind its point.
local function told(seconds) return string.format("%.6f", seconds) end

-- A key that was written just now goes with its room.
local function keep(code, key) call("PEXPIRE", key, call("PTTL", ROOM .. code)) end

local function changed(code) call("HINCRBY", ROOM .. code, "version", 1) end

local function lasts(code, life)
  call("HSET", ROOM .. code, "seen", now, "ends", now + life)
  call("ZADD", ROOMS, now + life, code)
  local keys = keys_of(code)
  keys[#keys + 1] = ROOMS
  for _, key in ipairs(keys) do
    call("PEXPIRE", key, math.ceil(life * 1000))
  end
end

local ask = {}

function ask.remove(code)
  call("DEL", unpack(keys_of(code)))
  call("ZREM", ROOMS, code)
  return OK
end

function ask.add(code, teacher, salt, life, most)
  for _, ended in ipairs(call("ZRANGEBYSCORE", ROOMS, "-inf", "(" .. told(now))) do
    ask.remove(ended)
  end
  if call("ZCARD", ROOMS) >= tonumber(most) then return FULL end
  if call("EXISTS", ROOM .. code) == 1 then return { "taken" } end
  call("HSET", ROOM .. code, "teacher", teacher, "salt", salt, "version", 0, "link", "{}")
  lasts(code, tonumber(life))
  return OK
end

function ask.read(code, ...)
  if not is_open(code) then return GONE end
  return { "ok", told(now), unpack(call("HMGET", ROOM .. code, ...)) }
end

function ask.states(...)
  local found = { "ok" }
  for _, code in ipairs({ ... }) do
    if is_open(code) then
      local version, seen = unpack(call("HMGET", ROOM .. code, "version", "seen"))
      for _, one in ipairs({ code, version, told(now - seen) }) do
        found[#found + 1] = one
      end
    end
  end
  return found
end

function ask.show(code, page, link, life)
  if not is_open(code) then return GONE end
  local before = call("HMGET", ROOM .. code, "page", "link")
  if before[1] ~= page or before[2] ~= link then
    call("HSET", ROOM .. code, "page", page, "link", link)
    changed(code)
  end
  lasts(code, tonumber(life))
  return OK
end

function ask.renew(code, life)
  if not is_open(code) then return GONE end
  lasts(code, tonumber(life))
  return OK
end

function ask.attend(process, ...)
  local given = { ... }
  for at = 1, #given, 2 do
    local code = given[at]
    if call("EXISTS", ROOM .. code) == 1 then
      call("HSET", present_of(code), process, given[at + 1] .. " " .. told(now))
      keep(code, present_of(code))
    end
  end
  return OK
end

function ask.present(code, within)
  local count = 0
  for _, one in ipairs(call("HVALS", present_of(code))) do
    local students, heard = string.match(one, "(%S+) (%S+)")
    if tonumber(heard) > now - within then count = count + students end
  end
  return { "ok", count }
end

function ask.ask(code, name, options)
  if not is_open(code) then return GONE end
  local before = call("HGET", polls_of(code), name)
  if not before or math.abs(before) ~= tonumber(options) then
    call("DEL", votes_of(code, name))
    call("HSET", polls_of(code), name, options)
    keep(code, polls_of(code))
  end
  return OK
end

function ask.poll(code, name)
  return { "ok", call("HGET", polls_of(code), name) }
end

-- "-" before its options: no vote counts any more.
ask["end"] = function(code, name)
  local options = tonumber(call("HGET", polls_of(code), name) or 0)
  if options > 0 then
    call("HSET", polls_of(code), name, -options)
    changed(code)
  end
  return OK
end

function ask.vote(code, name, voter, option, most)
  if not is_open(code) then return GONE end
  local options, at = tonumber(call("HGET", polls_of(code), name) or 0), tonumber(option)
  local votes = votes_of(code, name)
  if options == 0 then return { "not_asked" } end
  if options < 0 then return { "closed" } end
  if at < 0 or at >= options then return { "no_option" } end
  if call("HEXISTS", votes, voter) == 0 and call("HLEN", votes) >= tonumber(most) then
    return FULL
  end
  call("HSET", votes, voter, option)
  keep(code, votes)
  return OK
end

function ask.vote_of(code, name, voter)
  return { "ok", call("HGET", votes_of(code, name), voter) }
end

function ask.tally(code, name)
  return { "ok", unpack(call("HVALS", votes_of(code, name))) }
end

function ask.lend(code, mark, text, size, most)
  if not is_open(code) then return GONE end
  local all = tonumber(size)
  for _, other in ipairs(call("ZRANGE", ROOMS, 0, -1)) do
    if other ~= code then all = all + (call("HGET", ROOM .. other, "size") or 0) end
  end
  if all > tonumber(most) then return FULL end
  call("HSET", ROOM .. code, "mark", mark, "text", text, "size", size)
  return OK
end

function ask.lends(code, mark)
  return { "ok", call("HGET", ROOM .. code, "mark") == mark and 1 or 0 }
end

function ask.lent(code, mark)
  local found = call("HMGET", ROOM .. code, "mark", "text")
  return { "ok", found[1] == mark and found[2] }
end

return ask[ARGV[1]](unpack(ARGV, 3))
