import { Pool } from 'undici';
import { randomUUID } from 'node:crypto';

/** Posts a body over connections like those of the other measurements. */
export function poster(receiver, body) {
  const { origin, pathname } = new URL(receiver);
  const pool = new Pool(origin, { connections: 16, pipelining: 1 });
  let [left, finish] = [0, () => undefined];
  return {
    async post() {
      const headers = { 'content-type': 'application/json', 'webhook-id': randomUUID() };
      const { body: answer } = await pool.request({ path: pathname, method: 'POST', headers, body });
      await answer.dump();
      left -= 1;
      if (left === 0) finish();
    },
    /** @returns a promise that resolves after the next `count` posts */
    posted(count) {
      left = count;
      return new Promise((resolve) => (finish = resolve));
    },
  };
}
