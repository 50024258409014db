import { truncateSync } from 'node:fs';
import type { Fault } from './fault.js';

/** The rule warns two weeks before. */
const LEFT_MS = 10 * 86_400_000;
/** The API is away for a moment, to begin with other settings. */
const WHILE_IT_STARTS = ['PaymentCollectionApiDown'];

export const signingKeyEnds: Fault = {
  what: 'The API runs with a NASPIP key that expires in ten days, and with no other.',
  fires: ['PaymentCollectionSigningKeysEnd'],
  mayFire: WHILE_IT_STARTS,
  async begin(world) {
    await world.endProcess('api');
    await world.startProcess('api', { NASPIP_KEY_EXPIRES_AT: new Date(Date.now() + LEFT_MS).toISOString() });
    return () => world.restartProcess('api');
  },
};

export const signingKeysFileBroken: Fault = {
  what: 'The API runs with a file of signing keys, which is then cut off in the middle.',
  fires: ['PaymentCollectionSigningKeysNotRead'],
  mayFire: WHILE_IT_STARTS,
  async begin(world) {
    const path = await world.importSigningKeys();
    await world.endProcess('api');
    const fixed = ['TOKEN_SIGNING_KEYS', 'NASPIP_KEY_ID', 'NASPIP_SECRET_KEY', 'NASPIP_KEY_EXPIRES_AT'];
    const without = Object.fromEntries(fixed.map((name) => [name, '']));
    await world.startProcess('api', { ...without, SIGNING_KEYS_FILE: path });
    truncateSync(path, 40);
    return () => world.restartProcess('api');
  },
};
