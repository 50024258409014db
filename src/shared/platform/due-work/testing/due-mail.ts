import type { TestPlatform } from '#test/support/open-database.js';
import { newId } from '#shared/kernel/ids.js';

/** Schedules work of the kind `mail`, a millisecond apart and due `seconds` from now. @returns the keys, oldest first */
export async function scheduleMail(
  platform: TestPlatform,
  count: number,
  { lane = newId(), seconds = -1 } = {},
): Promise<string[]> {
  const now = await platform.clock.now();
  const items = Array.from({ length: count }, (_, n) => ({
    key: newId(),
    lane,
    dueAt: new Date(now.getTime() + seconds * 1_000 + n),
  }));
  await platform.database.run(() => platform.dueWork.schedule('mail', items));
  return items.map(({ key }) => key);
}

/** How much work there is, of any kind. */
export async function workLeft({ database }: TestPlatform): Promise<number> {
  return (await database.query('SELECT key FROM platform.due_work')).length;
}
