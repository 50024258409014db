import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { CheckoutDto } from '../../src/contexts/payments/infrastructure/http/checkout.dto.js';
import { PayerWorld } from '../support/payer-world.js';

/** Ten segments of 1,460 bytes, less 264: what arrives before the first answer of a new connection. */
const FIRST_WINDOW = 14_336;

let world: PayerWorld;

beforeAll(async () => {
  world = await PayerWorld.start({ wallet: false });
}, 60_000);

afterEach(() => world.leave());

afterAll(() => world?.stop());
