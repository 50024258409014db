import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { FOR_MEDUSA, FOR_VENDURE, guidePages, GuideWorld, INDEX } from '#test/support/guides/guide-world.js';

let world: GuideWorld;
beforeAll(async () => {
  world = await GuideWorld.start();
}, 240_000);
afterAll(() => world?.stop());

describe('A reader of the guides with a running sandbox', () => {
  it('is prepared after the index', () => world.follow(INDEX), 240_000);

  it.each(guidePages().filter((page) => ![INDEX, FOR_MEDUSA, FOR_VENDURE].includes(page)))(
    'sees the output that %s shows',
    (page) => world.follow(page),
    240_000,
  );
});
