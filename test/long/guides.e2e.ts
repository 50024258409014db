import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { FOR_MEDUSA, guidePages, GuideWorld, INDEX } from '#test/support/guides/guide-world.js';

/** Uses its own folder and database in place of the sandbox, so that it can run beside the other pages. */
const SEPARATE = 'go-to-production.md';

let world: GuideWorld;
let separate: Promise<void>;
beforeAll(async () => {
  world = await GuideWorld.start();
}, 240_000);
afterAll(() => world?.stop());

describe('A reader of the guides with a running sandbox', () => {
  it('is prepared after the index', async () => {
    await world.follow(INDEX);
    separate = world.follow(SEPARATE);
    separate.catch(() => undefined);
  }, 240_000);

  it.each(guidePages().filter((page) => ![INDEX, FOR_MEDUSA, SEPARATE].includes(page)))(
    'sees the output that %s shows',
    (page) => world.follow(page),
    240_000,
  );

  it(`sees the output that ${SEPARATE} shows`, () => separate, 240_000);
});
