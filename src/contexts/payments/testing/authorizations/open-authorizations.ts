import { randomBytes } from 'node:crypto';
import { SameChain } from '#contexts/networks/testing/same-chain.js';
import type { GasSponsorshipLimits } from '#contexts/networks/contract/network-catalogue.js';
import { ProcessAuthorizations } from '../../application/authorizations/process-authorizations.js';
import {
  SubmitAuthorization,
  type SubmittedAuthorization,
} from '../../application/authorizations/submit-authorization.js';
import type { CheckoutView } from '../../application/requests/payment-request-view.js';
import { TransferAuthorizations } from '../../infrastructure/authorizations/persistence/authorizations.js';
import { openCheckouts, payAll } from '../checkout/open-checkouts.js';
import { DOLLAR, NETWORK } from '../requests/collecting-world.js';
import { TokenModel } from './token-model.js';
import { StoredSender } from './stored-sender.js';

export const PAYER = `0x${'f'.repeat(40)}`;
/** Reserved for each: what it costs in memory, and a quarter more. */
export const RESERVED = 75_000n;

export type Signing = Awaited<ReturnType<typeof openAuthorizations>>;

/** Checkouts on a network that sponsors, with room for a hundred payments, tokens in memory, and a sender that stores. */
export async function openAuthorizations(limits: Partial<GasSponsorshipLimits> = {}) {
  const checkouts = await openCheckouts();
  const { catalogue, queries, database, platform } = checkouts;
  catalogue.sponsor(NETWORK, {
    perPayment: 3n * RESERVED,
    perOrganizationAndDay: 100n * RESERVED,
    perDay: 100n * RESERVED,
    ...limits,
  });
  const seconds = async () => BigInt(Math.floor((await platform.clock.now()).getTime() / 1_000));
  const tokens = new TokenModel(await seconds());
  tokens.hold(PAYER, 10n ** 12n);
  const chains = new SameChain({ authorizedTransfers: tokens });
  const fullOf = ({ selected }: CheckoutView, { authorization, signature }: SubmittedAuthorization) => {
    const to = selected!.address.toLowerCase();
    return { network: NETWORK, token: DOLLAR.token, authorization: { ...authorization, to }, signature };
  };
  const authorizations = new TransferAuthorizations(database);
  const sender = new StoredSender(database);
  const submitting = () =>
    new SubmitAuthorization(queries, catalogue, chains, authorizations, database, platform.clock);
  const advancing = () =>
    new ProcessAuthorizations(authorizations, chains, sender, catalogue, platform.clock);
  const submit = submitting();
  const advance = advancing();

  return {
    ...checkouts,
    tokens,
    chains,
    sender,
    authorizations,
    submitting,
    advancing,

    asked: async (from = checkouts.shop) => checkouts.select(await checkouts.checkout({}, from), DOLLAR),

    /** All that is missing, signed by the payer for the next hour with a new nonce, but for these fields. */
    async signed(
      session: CheckoutView,
      fields: Partial<SubmittedAuthorization['authorization']> = {},
    ): Promise<SubmittedAuthorization> {
      const { amount, receivedAmount } = session.selected!;
      const nonce = `0x${randomBytes(32).toString('hex')}`;
      const times = { validAfter: 0n, validBefore: (await seconds()) + 3_600n };
      const authorization = { from: PAYER, value: amount - receivedAmount, nonce, ...times, ...fields };
      const unsigned = fullOf(session, { authorization, signature: '' });
      return { authorization, signature: tokens.sign(unsigned.authorization) };
    },

    callOf: (session: CheckoutView, submitted: SubmittedAuthorization) =>
      tokens.encode(fullOf(session, submitted)),

    useNonce(session: CheckoutView, submitted: SubmittedAuthorization): void {
      tokens.execute(tokens.encode(fullOf(session, submitted)));
    },

    submit: ({ sessionId }: CheckoutView, submitted: SubmittedAuthorization) =>
      submit.submit(sessionId, submitted),

    /** One look at all that is due, a while after the last one. */
    async look() {
      await platform.advance(6);
      return advance.process(NETWORK);
    },

    stored: () =>
      platform.database.query<{
        id: string;
        paymentRequestId: string;
        state: string;
        gasCost: bigint | null;
        failureReason: string | null;
        transactionHash: string | null;
        held: string | null;
      }>(
        'SELECT id, payment_request_id, state, gas_cost, failure_reason, transaction_hash, held FROM payments.authorizations ORDER BY id',
      ),

    /** The transfer of a whole session, in the transaction of that sending, and read by the watcher. @returns its block */
    async carriedOut(session: CheckoutView, transaction?: string): Promise<number> {
      const block = checkouts.chain.mine({ ...payAll(session, DOLLAR), ...(transaction && { transaction }) });
      await checkouts.follow();
      return block.number;
    },

    async becomesFinal(): Promise<void> {
      checkouts.chain.mineEmpty(3);
      await checkouts.follow();
    },
  };
}
