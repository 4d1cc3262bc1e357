package dev.askgateway.budget.hold;

import dev.askgateway.budget.Script;

/**
 * What runs inside Redis, for one person. Keys of both: the copy, a hash of what the database said last;
 * the wants, a hash of requests under way: until when (milliseconds) and how much (micro-USD). The time
 * is Redis' own. Run twice they do no more than once.
 */
final class Scripts {
  private Scripts() {}

  /**
   * Admits wants in their order and notes the admitted ones. Arguments: how long a want is under way
   * (milliseconds), the policy's cap (empty: none), the policy's open holds (0: any number), then each
   * request and its amount. Answers 1 or 0 for each. A request that is under way already is admitted and
   * counted once: it holds nothing more.
   */
  static final Script MAY_HOLD = Script.of("""
      local time = redis.call('TIME')
      local now = time[1] * 1000 + math.floor(time[2] / 1000)
      local lease, cap, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
      local copy = redis.call('HMGET', KEYS[1], 'version', 'free', 'open', 'requestCap')
      local known, free, open = copy[1], tonumber(copy[2]), tonumber(copy[3])
      local own = tonumber(copy[4])
      if own and own < (cap or own + 1) then
        cap = own
      end
      local noted, amount, count = {}, 0, 0
      local wants = redis.call('HGETALL', KEYS[2])
      for i = 1, #wants, 2 do
        local expiry, size = string.match(wants[i + 1], '^(%d+):(%d+)$')
        if tonumber(expiry) > now then
          noted[wants[i]] = true
          amount = amount + size
          count = count + 1
        else
          redis.call('HDEL', KEYS[2], wants[i])
        end
      end
      local expiry = string.format('%.0f', now + lease)
      local answers = {}
      for i = 4, #ARGV, 2 do
        local request, size = ARGV[i], tonumber(ARGV[i + 1])
        local fits = not known or not ((cap and size > cap)
          or (most > 0 and open + count >= most)
          or (free and amount + size > free))
        if noted[request] then
          fits = true
        elseif fits then
          redis.call('HSET', KEYS[2], request, expiry .. ':' .. ARGV[i + 1])
          noted[request] = true
          amount = amount + size
          count = count + 1
        end
        answers[#answers + 1] = fits and 1 or 0
      end
      if count > 0 then
        redis.call('PEXPIRE', KEYS[2], lease)
      end
      return answers
      """);

  /**
   * Takes a newer copy and strikes wants that are through. Arguments: version (empty: nothing was
   * changed), free (empty: any amount), open, the account's cap (empty: none), the end of its month
   * (milliseconds), how long a copy is kept (milliseconds), then the requests that are through. A copy
   * is gone with its month.
   */
  static final Script STANDS = Script.of("""
      if ARGV[1] ~= '' then
        local time = redis.call('TIME')
        local now = time[1] * 1000 + math.floor(time[2] / 1000)
        local life = math.min(tonumber(ARGV[6]), ARGV[5] - now)
        local version = tonumber(redis.call('HGET', KEYS[1], 'version') or '-1')
        if life > 0 and tonumber(ARGV[1]) > version then
          redis.call('HSET', KEYS[1], 'version', ARGV[1], 'free', ARGV[2], 'open', ARGV[3],
            'requestCap', ARGV[4])
          redis.call('PEXPIRE', KEYS[1], life)
        end
      end
      for i = 7, #ARGV do
        redis.call('HDEL', KEYS[2], ARGV[i])
      end
      return 1
      """);
}
