import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openAuthorizations, type Signing } from '../../testing/authorizations/open-authorizations.js';
import { DOLLAR, EURO } from '../../testing/requests/collecting-world.js';
import { refusal } from '../../testing/requests/open-payments.js';
import type { CheckoutView } from '../requests/payment-request-view.js';

const NOBODYS = `0x${'00'.repeat(65)}`;

let world: Signing;
let session: CheckoutView;
beforeEach(async () => {
  world = await openAuthorizations();
  session = await world.asked();
});
afterEach(() => world.close());

const codeOf = ({ code }: { readonly code: string }) => code;

describe('What a payer signed, posted many times at once', () => {
  it('is stored once, whatever arrives in parallel at several processes', async () => {
    const signed = await world.signed(session);
    const processes = [world.submitting(), world.submitting()];

    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => processes[n % 2]!.execute(session.sessionId, signed)),
    );

    expect(answers).toEqual(Array(100).fill({ status: 'queued' }));
    expect(await world.stored()).toMatchObject([{ state: 'queued', gasCost: null }]);
    expect(world.tokens.plans).toBeLessThanOrEqual(2);
  });

  it('is taken where another process stores it between two reads', async () => {
    const signed = await world.signed(session);
    const find = world.authorizations.find.bind(world.authorizations);
    world.authorizations.find = async (...asked) => {
      world.authorizations.find = find;
      const known = await find(...asked);
      await world.submitting().execute(session.sessionId, signed);
      return known;
    };

    expect(await world.submit(session, signed)).toEqual({ status: 'queued' });
    expect(await world.stored()).toHaveLength(1);
  });

  it('is refused once for all that post the same at once', async () => {
    const signed = { ...(await world.signed(session)), signature: NOBODYS };
    const [find, plan] = [world.queries.find.bind(world.queries), world.tokens.plan.bind(world.tokens)];
    let arrived = 0;
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    world.queries.find = async (id) => {
      const view = await find(id);
      if ((arrived += 1) === 20) setImmediate(goOn);
      return view;
    };
    world.tokens.plan = async (one) => {
      await held;
      return plan(one);
    };

    const refusals = await Promise.all(
      Array.from({ length: 20 }, () =>
        refusal(world.submit(session, signed)).then(({ code, errors }) => JSON.stringify([code, errors])),
      ),
    );

    expect([new Set(refusals).size, world.tokens.plans]).toEqual([1, 1]);
  });

  it('is simulated beside seven others at most, and unavailable behind 32 that wait', async () => {
    const signed = await Promise.all(Array.from({ length: 41 }, () => world.signed(session)));
    const plan = world.tokens.plan.bind(world.tokens);
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    let [running, most] = [0, 0];
    world.tokens.plan = async (one) => {
      most = Math.max(most, (running += 1));
      await held;
      running -= 1;
      return plan(one);
    };

    const outcomes = signed.map((one) => world.submit(session, one).then(() => 'queued', codeOf));
    const first = await Promise.race(outcomes);
    goOn();
    const all = await Promise.all(outcomes);

    expect([first, most]).toEqual(['unavailable', 8]);
    expect(all.filter((outcome) => outcome === 'unavailable')).toHaveLength(1);
  });

  it('is stored or another asset is selected where both come at once, never both', async () => {
    const sessions = await Promise.all(Array.from({ length: 10 }, () => world.asked()));
    await Promise.all(
      sessions.map(async (each) => {
        const submitted = world.submit(each, await world.signed(each));
        return Promise.allSettled([submitted, world.select(each, EURO)]);
      }),
    );

    const rows = await world.platform.database.query<{ signed: boolean; selected: string }>(
      `SELECT a.id IS NOT NULL AS signed, r.unique_asset_id AS selected FROM payments.payment_requests r
       LEFT JOIN payments.authorizations a ON a.payment_request_id = r.id WHERE r.id = ANY($1)`,
      [sessions.map(({ id }) => id)],
    );
    expect(rows).toHaveLength(10);
    for (const { signed, selected } of rows) expect(selected).toBe((signed ? DOLLAR : EURO).uniqueAssetId);
  });
});
