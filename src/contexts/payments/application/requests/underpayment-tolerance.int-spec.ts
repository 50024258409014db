import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AccountId, newId, type OrganizationId } from '#shared/kernel/ids.js';
import { PostgresAuditLog } from '#contexts/identity/infrastructure/persistence/postgres-audit-log.js';
import { breachesOf } from '#test/support/broken-invariants.js';
import { requestEventsInvariants } from '../../infrastructure/requests/persistence/invariants/request-events-invariants.js';
import { AcceptUnderpayment } from './accept-underpayment.js';
import { AcceptedUnderpayments } from '../../infrastructure/requests/persistence/accepted-underpayments.js';
import { CheckoutUrls } from './checkout-urls.js';
import { presentListedPaymentRequest } from '../../infrastructure/requests/http/listed-payment-request.dto.js';
import { PaymentRequestListQueries } from '../../infrastructure/requests/persistence/views/payment-request-list-queries.js';
import { openCheckouts, type Checkouts } from '../../testing/checkout/open-checkouts.js';
import { DOLLAR, NETWORK, OTHER_NETWORK } from '../../testing/requests/collecting-world.js';
import { NO_DELIVERIES, pay } from '../../testing/requests/open-payments.js';
import type {
  SettlementAndRefundRecords,
  RefundRecord,
} from '../../contract/settlement-and-refund-records.js';
import type { PaymentRequestView } from './payment-request-view.js';

const TOLERANCE = { basisPoints: 100, atMost: '0.05' };

let checkouts: Checkouts;
beforeEach(async () => {
  checkouts = await openCheckouts();
  await checkouts.pointsOfSale.change(checkouts.shop, { underpaymentTolerance: TOLERANCE });
});
afterEach(() => checkouts.close());

/** Reads all networks past the payment window and the grace period, so that counted transfers are final. */
async function readPast({ expiresAt }: Pick<PaymentRequestView, 'expiresAt'>): Promise<void> {
  for (const network of [NETWORK, OTHER_NETWORK]) {
    const chain = checkouts.chainOf(network);
    chain.mineBeyond(new Date(expiresAt.getTime() + 300_000));
    chain.mineEmpty(5);
    await checkouts.follow(network);
  }
}

async function readListed(request: Pick<PaymentRequestView, 'id' | 'organizationId' | 'pointOfSaleId'>) {
  const list = new PaymentRequestListQueries(checkouts.database, checkouts.pointsOfSale);
  const scope = { organizationId: request.organizationId, accountId: null };
  const paging = { page: 1, pageSize: 50 };
  const { items } = await list.page(scope, request.pointOfSaleId, { created: {} }, paging);
  const urls = new CheckoutUrls('https://api.example', 'https://pay.example');
  const { status, fulfilled } = presentListedPaymentRequest(
    items.find(({ id }) => id === request.id)!,
    urls,
  );
  return { status, fulfilled };
}

async function readFulfilment(request: Pick<PaymentRequestView, 'id' | 'organizationId' | 'pointOfSaleId'>) {
  const { status, fulfilled } = await checkouts.read(request);
  return { status, fulfilled };
}

const OPEN = { status: 'created', fulfilled: false };
const ACCEPTED = { status: 'underpaid', fulfilled: true };
const UNDERPAID = { status: 'underpaid', fulfilled: false };

describe('An underpayment within the tolerance', () => {
  it('counts as fulfilled in every view and in the invariants', async () => {
    const direct = await checkouts.request({}, checkouts.shop);
    const chosen = await checkouts.select(await checkouts.checkout(), DOLLAR);
    const before = [await readFulfilment(direct), await readListed(chosen)];
    checkouts.chain.mine(pay(direct, 995), pay(chosen.selected!, 995));

    await readPast(chosen);

    expect(before).toEqual([OPEN, OPEN]);
    for (const request of [direct, chosen])
      expect([await readFulfilment(request), await readListed(request)]).toEqual([ACCEPTED, ACCEPTED]);
    expect(await checkouts.session(chosen)).toMatchObject(ACCEPTED);
    expect(await checkouts.read(chosen)).toMatchObject({ checkout: ACCEPTED, receivedAmount: 9_950_000n });
    expect(await checkouts.breaches()).toEqual({});
  });

  it('is evaluated by the tolerance at creation, not by later settings', async () => {
    const create = () => checkouts.request({}, checkouts.shop);
    const [accepted, before] = [await create(), await checkouts.checkout()];
    await checkouts.pointsOfSale.change(checkouts.shop, { underpaymentTolerance: undefined });
    const strict = await create();
    const selected = await checkouts.select(before, DOLLAR);
    checkouts.chain.mine(pay(accepted, 995), pay(strict, 995), pay(selected.selected!, 995));

    await readPast(strict);

    expect([
      await readFulfilment(accepted),
      await readFulfilment(selected),
      await readFulfilment(strict),
    ]).toEqual([ACCEPTED, ACCEPTED, UNDERPAID]);
  });
});

describe('An underpaid request that the merchant accepts', () => {
  const MEMBER = { actor: 'owner@shop.example' };
  const acceptor = (deliveries: SettlementAndRefundRecords = NO_DELIVERIES) => {
    const { database, platform } = checkouts;
    const accepted = new AcceptedUnderpayments(database, platform.eventLog);
    const audit = new PostgresAuditLog(database);
    return new AcceptUnderpayment(accepted, deliveries, audit, platform.clock, database);
  };

  it('is fulfilled in every view, and recorded in the audit log once', async () => {
    const request = await checkouts.select(await checkouts.checkout(), DOLLAR);
    checkouts.chain.mine(pay(request.selected!, 500));
    await readPast(request);
    const { organizationId, id } = request;
    const scope = { organizationId, accountId: null };

    await acceptor().accept({ scope, id, ...MEMBER });

    for (const read of [readFulfilment(request), readListed(request)]) expect(await read).toEqual(ACCEPTED);
    expect(await checkouts.session(request)).toMatchObject(ACCEPTED);
    const again = acceptor().accept({ scope, id, ...MEMBER });
    await expect(again).rejects.toMatchObject({ kind: 'conflict' });
    const entries = await checkouts.database.query(
      'SELECT actor, action, after FROM identity.audit_log WHERE subject_id = $1',
      [id],
    );
    const action = 'payment_request.accepted_as_paid';
    expect(entries).toEqual([{ ...MEMBER, action, after: { fulfilled: true } }]);
    const events = await checkouts.database.query('SELECT data FROM platform.events WHERE type = $1', [
      action,
    ]);
    const { pointOfSaleId } = await checkouts.read(request);
    const data = {
      status: 'underpaid',
      underpaymentAccepted: true,
      paymentRequestType: 'fixed',
      pointOfSaleId,
    };
    expect(events).toEqual([{ data }]);
    expect(await checkouts.breaches()).toEqual({});
    const move = (seconds: number) =>
      checkouts.database.query(
        'UPDATE payments.payment_requests SET accepted_by_merchant_at = accepted_by_merchant_at + make_interval(secs => $2) WHERE id = $1',
        [id, seconds],
      );
    await move(1);
    expect(Object.keys(await breachesOf(checkouts.database, requestEventsInvariants))).toEqual([
      'acceptances-match-events',
    ]);
    await move(-1);
  });

  it('cannot be open, fulfilled, refunded, or of another organization or account', async () => {
    const [open, tolerated] = [await checkouts.checkout(), await checkouts.checkout()];
    const [paid, short] = await Promise.all([
      checkouts.select(tolerated, DOLLAR),
      checkouts.select(await checkouts.checkout(), DOLLAR),
    ]);
    checkouts.chain.mine(pay(paid.selected!, 995), pay(short.selected!, 500));
    await readPast(short);
    const { organizationId } = short;
    const scope = { organizationId, accountId: null };

    for (const [kind, input] of [
      ['conflict', { scope, id: open.id }],
      ['conflict', { scope, id: paid.id }],
      ['not_found', { scope: { ...scope, organizationId: newId<OrganizationId>() }, id: short.id }],
      ['not_found', { scope: { ...scope, accountId: newId<AccountId>() }, id: short.id }],
    ] as const)
      await expect(acceptor().accept({ ...input, ...MEMBER })).rejects.toMatchObject({ kind });
    const refunded = acceptor({
      findByRequests: async () => new Map([[short.id, { refunds: [{ status: 'pending' } as RefundRecord] }]]),
    });
    await expect(refunded.accept({ scope, id: short.id, ...MEMBER })).rejects.toMatchObject({
      kind: 'conflict',
    });
    const stranger = { ...scope, organizationId: newId<OrganizationId>() };
    await expect(refunded.accept({ scope: stranger, id: short.id, ...MEMBER })).rejects.toMatchObject({
      kind: 'not_found',
    });
    const { database } = checkouts;
    const reversed = database.run(async () => {
      await database.queryInTransaction('SET LOCAL session_replication_role = replica');
      await database.queryInTransaction(
        'UPDATE payments.transfers SET reversed_at = now(), canonical = false, counted = false WHERE payment_request_id = $1',
        [short.id],
      );
      await acceptor().accept({ scope, id: short.id, ...MEMBER });
    });
    await expect(reversed).rejects.toMatchObject({ kind: 'conflict' });
    expect(await readFulfilment(short)).toEqual(UNDERPAID);
    const unrefunded = acceptor({
      findByRequests: async () => new Map([[short.id, { refunds: [{ status: 'failed' } as RefundRecord] }]]),
    });
    await unrefunded.accept({ scope, id: short.id, ...MEMBER });
    expect(await readFulfilment(short)).toEqual(ACCEPTED);
  });
});

describe('The invariant of accepted underpayments', () => {
  it('detects a request whose acceptance contradicts its tolerance', async () => {
    const accepted = await checkouts.select(await checkouts.checkout(), DOLLAR);
    const underpaid = await checkouts.select(await checkouts.checkout(), DOLLAR);
    checkouts.chain.mine(pay(accepted.selected!, 995), pay(underpaid.selected!, 990));
    await readPast(underpaid);

    for (const [{ id }, set] of [
      [accepted, 'underpayment_accepted = false'],
      [underpaid, 'underpayment_accepted = true'],
      [underpaid, `underpayment_tolerance = '{"basisPoints": 500, "atMost": "1"}'`],
    ] as const) {
      const tampered = checkouts.database.run(async () => {
        await checkouts.database.queryInTransaction(
          `UPDATE payments.payment_requests SET ${set} WHERE id = $1`,
          [id],
        );
        expect(Object.keys(await checkouts.breaches())).toContain('accepted-underpayments-are-tolerated');
        throw new Error('undone');
      });
      await expect(tampered).rejects.toThrow('undone');
    }
  });
});
