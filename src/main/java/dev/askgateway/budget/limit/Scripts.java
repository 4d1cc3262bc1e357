package dev.askgateway.budget.limit;

import dev.askgateway.budget.Script;

/**
 * What runs inside Redis. The time is Redis' own, so that the clocks of nodes do not matter. A bucket is
 * one number, the moment at which it is full again, in microseconds; a full one is no key at all.
 */
final class Scripts {
  private Scripts() {}

  /**
   * Takes a token and a slot, or neither.
   *
   * <p>Keys: bucket, slots (a sorted set of requests by the end of their lease). Arguments: microseconds
   * for a token (0: no limit of the rate), tokens of a full bucket, requests at a time (0: any number),
   * the lease in milliseconds, the request. Answers the outcome's name and what is missing in the
   * bucket.
   */
  static final Script TAKE = Script.of("""
      local time = redis.call('TIME')
      local now = time[1] * 1000000 + time[2]
      local period, full = tonumber(ARGV[1]), ARGV[1] * ARGV[2]
      local concurrent, lease = tonumber(ARGV[3]), tonumber(ARGV[4])
      local level = 0
      if period > 0 then
        level = math.max(0, math.min(full, (redis.call('GET', KEYS[1]) or 0) - now))
        if level + period > full then
          return {'RATE', level}
        end
      end
      if concurrent > 0 then
        local millis = math.floor(now / 1000)
        redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', millis)
        if redis.call('ZCARD', KEYS[2]) >= concurrent then
          return {'CONCURRENCY', level}
        end
        redis.call('ZADD', KEYS[2], millis + lease, ARGV[5])
        redis.call('PEXPIRE', KEYS[2], lease)
      end
      if period > 0 then
        level = level + period
        local moment = string.format('%.0f', now + level)
        redis.call('SET', KEYS[1], moment, 'PX', math.ceil(level / 1000))
      end
      return {'ADMITTED', level}
      """);

  /**
   * Keeps a slot, also where Redis has lost it. Keys: slots. Arguments: the lease in milliseconds, the
   * request.
   */
  static final Script RENEW = Script.of("""
      local time = redis.call('TIME')
      local millis = time[1] * 1000 + math.floor(time[2] / 1000)
      redis.call('ZADD', KEYS[1], millis + ARGV[1], ARGV[2])
      return redis.call('PEXPIRE', KEYS[1], ARGV[1])
      """);
}
