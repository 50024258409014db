import { expect, it } from '@jest/globals';
import { Random } from '../random.js';
import { HonestService } from './honest-service.js';
import { ToldHistory } from './told-history.js';

/** Creations, payments, reorganisations and readings as the seed draws them, with a rest at the end. */
function day(seed: number, steps: number): ToldHistory {
  const random = new Random(seed);
  const told = new ToldHistory();
  const service = new HonestService(told, random);
  service.create();
  for (let step = 0; step < steps; step += 1) {
    const draw = random.whole(0, 99);
    if (draw < 15) service.create();
    else if (draw < 50) told.block(service.payments(), [], `s${step}`);
    else if (draw < 53 && step > 40) told.unwind(random.whole(1, 2));
    else if (draw < 70) service.read(random.whole(1, 4));
    else if (draw < 73) service.list();
    else if (draw < 76) told.pass(random.whole(1, 120));
    else if (draw < 80) service.show(true);
    else if (draw < 83) service.arrive();
    else service.show();
  }
  for (let block = 0; block < 60; block += 1) told.block([], [], 'end');
  service.arrive();
  service.read(Infinity);
  told.rest();
  for (let reading = 0; reading < 60; reading += 1) service.show();
  service.list();
  told.missing();
  return told;
}

it.each([1, 2, 3])('finds nothing wrong with an honest service that lags, seed %i', (seed) => {
  expect(day(seed, 300).found).toEqual([]);
});
