import { encodeAbiParameters, keccak256, numberToHex } from 'viem/utils';
import { freePort } from '#sandbox/processes/free-port.js';
import { until, type Fault } from './fault.js';
import { Load } from './load.js';
import type { WatchedWorld } from './watched-world.js';

const CONSTRAINT = 'payment_is_refused';

export const eventRefused: Fault = {
  what: 'A constraint of the ledger’s table refuses what the subscriber writes of a payment.',
  fires: ['PaymentCollectionEventsParked'],
  async begin(world) {
    await world.query(`ALTER TABLE ledger.transactions ADD CONSTRAINT ${CONSTRAINT} CHECK (false) NOT VALID`);
    return async () => {
      await world.query(`ALTER TABLE ledger.transactions DROP CONSTRAINT ${CONSTRAINT}`);
      await world.operator('events', 'retry', 'ledger_movements');
    };
  },
};

export const pruningRefused: Fault = {
  what: 'A trigger refuses that idempotency keys are removed.',
  fires: ['PaymentCollectionBackgroundWorkFailing'],
  async begin(world) {
    await world.query(`CREATE FUNCTION platform.refuse() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE 'Idempotency keys stay.'; END $$`);
    await world.query(`CREATE TRIGGER refused BEFORE DELETE ON platform.idempotency_keys
      FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse()`);
    return () => world.query('DROP FUNCTION platform.refuse CASCADE');
  },
};

/** No statement removes a sequence of numbers, so that its trigger is switched off for the end. */
export const addressesUnused: Fault = {
  what: 'A merchant’s wallet has a next number, and none of its addresses was paid.',
  fires: ['PaymentCollectionWalletAddressesUnused'],
  async begin(world) {
    await world.query(`INSERT INTO payments.address_numbers (network, numbering, organization_id, next_number)
      VALUES ('sandbox', 'rehearsed', gen_random_uuid(), 30)`);
    const trigger = (state: 'DISABLE' | 'ENABLE') =>
      world.query(`ALTER TABLE payments.address_numbers ${state} TRIGGER address_numbers_never_deleted`);
    return async () => {
      await trigger('DISABLE');
      await world.query(`DELETE FROM payments.address_numbers WHERE numbering = 'rehearsed'`);
      await trigger('ENABLE');
    };
  },
};

/** The destination's row stays in the database. Dated back, it is no longer among what a worker has in its settings. */
export const destinationAway: Fault = {
  what: 'The worker publishes events to a broker that does not answer.',
  fires: ['PaymentCollectionDestinationFailing', 'PaymentCollectionDestinationBehind'],
  mayFire: ['PaymentCollectionBackgroundWorkFailing'],
  async begin(world) {
    const nobody = `127.0.0.1:${await freePort()}`;
    await world.endProcess('worker');
    await world.startProcess('worker', { EVENT_DESTINATION_URLS: `teams=tls://${nobody}/payments` });
    return async () => {
      await world.restartProcess('worker');
      await world.query(`UPDATE webhooks.destinations SET configured_at = configured_at - interval '1 hour'`);
    };
  },
};

export const receiverFails: Fault = {
  what: 'The merchant’s receiver answers every webhook with 500.',
  fires: ['PaymentCollectionDeliveriesFailing'],
  async begin({ receiver }) {
    receiver.answer = (_, response) => response.writeHead(500).end();
    return async () => {
      receiver.answer = (_, response) => response.end();
    };
  },
};

/** Place of the mapping from holders to balances in OpenZeppelin's ERC-20. */
const BALANCES_SLOT = 0n;
const NOTHING = numberToHex(0, { size: 32 });

/** Begins where nothing is settled, so that the payment stays at its deposit address. */
export const paymentTakenAway: Fault = {
  what: 'A final payment is taken from its deposit address (anvil_setStorageAt), and the daily audit is made due.',
  fires: ['PaymentCollectionChainAuditFindings'],
  async begin(world) {
    const load = new Load(world);
    const request = await load.create();
    await load.pay(request);
    await until('the payment is completed', async () => (await load.statusOf(request)) === 'completed');
    const { token } = world.asset;
    const key = encodeAbiParameters(
      [{ type: 'address' }, { type: 'uint256' }],
      [request.address, BALANCES_SLOT],
    );
    const place = keccak256(key);
    const balance = await world.rpc<string>('eth_getStorageAt', token, place, 'latest');
    if (balance === NOTHING) throw new Error(`${request.address} holds nothing at ${place}.`);
    await world.rpc('anvil_setStorageAt', token, place, NOTHING);
    await auditAnew(world);
    return async () => {
      await world.rpc('anvil_setStorageAt', token, place, balance);
      await auditAnew(world);
    };
  },
};

/** An audit reads what is final, and the last one was less than a day ago. */
async function auditAnew(world: WatchedWorld): Promise<void> {
  await world.newestIsFinal();
  await world.query(`UPDATE payments.chain_audits SET began_at = began_at - interval '1 day'`);
}
