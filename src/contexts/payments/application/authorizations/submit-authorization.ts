import { Injectable } from '@nestjs/common';
import { type Asset, isNative } from '#shared/kernel/asset.js';
import { Clock } from '#shared/kernel/clock.js';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { newId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import {
  type SignedTransferAuthorization,
  type TransferAuthorization,
} from '#contexts/networks/contract/authorized-transfers.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import {
  NetworkCatalogue,
  type GasSponsorshipLimits,
} from '#contexts/networks/contract/network-catalogue.js';
import {
  transferAuthorizationRefusedError,
  requireTransferAuthorizationValidity,
  requireAuthorizedValue,
} from '../../domain/authorizations/authorization-rule.js';
import type { AuthorizationProgress } from '../../domain/authorizations/authorization.js';
import { TransferAuthorizations } from '../../infrastructure/authorizations/persistence/authorizations.js';
import {
  NotSponsoredError,
  findExceededSponsoringLimit,
} from '../../domain/authorizations/sponsoring-rule.js';
import { CheckoutEndedError } from '../../domain/requests/asset-change-rule.js';
import { isEnded } from '../../domain/requests/status.js';
import { CheckoutQueries } from '../checkout/checkout-session.js';
import type { CheckoutView, SelectedAssetView } from '../requests/payment-request-view.js';
import { AuthorizationSimulator } from './authorization-simulator.js';

export interface SubmittedAuthorization {
  readonly authorization: Omit<TransferAuthorization, 'to'>;
  readonly signature: string;
}

export interface AuthorizationView {
  /** `seen`: the watcher has stored the transfer to the selected address. */
  readonly status: 'queued' | 'sent' | 'seen';
  readonly transactionHash?: string;
}

interface SessionToPay {
  readonly session: CheckoutView;
  readonly selected: SelectedAssetView;
  readonly asset: Asset;
}

interface NewAuthorization {
  readonly known: null;
  readonly asked: SessionToPay;
  readonly sponsoring: GasSponsorshipLimits;
}

/** 125 % of the simulated gas cost, because gas prices may rise before the transaction is sent. */
const RESERVED_COST_FACTOR = { times: 5n, over: 4n };

/** An authorization is sent once: the nonce of the token is the unique key of stored authorizations. */
@Injectable()
export class SubmitAuthorization {
  private readonly taking = new Map<string, Promise<AuthorizationView>>();
  private readonly simulations: AuthorizationSimulator;
  private refused: (network: string, reason: NotSponsoredError['reason']) => void = () => undefined;

  constructor(
    private readonly queries: CheckoutQueries,
    private readonly catalogue: NetworkCatalogue,
    chains: Chains,
    private readonly authorizations: TransferAuthorizations,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    this.simulations = new AuthorizationSimulator(chains);
  }

  onNotSponsored(refused: (network: string, reason: NotSponsoredError['reason']) => void): void {
    this.refused = refused;
  }

  /**
   * Idempotent and safe for concurrent calls.
   * @throws not_found, validation_failed, state_conflict, not_sponsored, authorization_refused, unavailable
   */
  async submit(sessionId: string, submitted: SubmittedAuthorization): Promise<AuthorizationView> {
    const asked = await this.asked(sessionId);
    const signed = toSignedAuthorization(asked, submitted);
    try {
      return await this.runShared(submissionKey(sessionId, signed), () =>
        this.acceptAuthorization(asked, signed),
      );
    } catch (error) {
      if (error instanceof NotSponsoredError) this.refused(signed.network, error.reason);
      throw error;
    }
  }

  private runShared(key: string, take: () => Promise<AuthorizationView>): Promise<AuthorizationView> {
    const present = this.taking.get(key);
    if (present !== undefined) return present;
    const taking = take().finally(() => this.taking.delete(key));
    this.taking.set(key, taking);
    return taking;
  }

  private async acceptAuthorization(
    before: SessionToPay,
    signed: SignedTransferAuthorization,
  ): Promise<AuthorizationView> {
    const { known } = await this.lookUpAuthorization(before, signed);
    if (known !== null) return known;
    const { gasCost, balance } = await this.simulations.plan(signed);
    const reservedCost = (gasCost * RESERVED_COST_FACTOR.times) / RESERVED_COST_FACTOR.over;
    return this.unitOfWork.run(async () => {
      await this.authorizations.lockNetworkAndRequest(signed.network, before.session.id);
      // A concurrent call may have stored the same authorization while this call waited for the lock.
      const {
        known: meanwhile,
        asked,
        sponsoring,
      } = await this.lookUpAuthorization(await this.asked(before.session.sessionId), signed);
      if (meanwhile !== null) return meanwhile;
      await this.requireCoveringBalance(signed, balance);
      const { id, organizationId, accountId } = asked.session;
      const sponsored = await this.authorizations.sumSponsoredCosts(signed.network, id, organizationId);
      const limit = findExceededSponsoringLimit(sponsoring, sponsored, reservedCost);
      if (limit !== null) throw new NotSponsoredError(limit);
      const { uniqueAssetId } = asked.asset;
      const owner = { paymentRequestId: id, organizationId, accountId, uniqueAssetId };
      await this.authorizations.store({ ...signed, ...owner, id: newId(), reservedCost }, sponsoring);
      return { status: 'queued' };
    });
  }

  private async lookUpAuthorization(
    asked: SessionToPay,
    signed: SignedTransferAuthorization,
  ): Promise<{ known: AuthorizationView; asked?: never; sponsoring?: never } | NewAuthorization> {
    // Read before `find`: an authorization that another process stores in between must not count against itself.
    const underWay = await this.authorizations.sumUnseenOfRequest(
      asked.session.id,
      asked.asset.uniqueAssetId,
    );
    const known = await this.authorizations.find(signed, asked.session.id);
    if (known !== null) return { known: toAuthorizationView(known, asked.session, signed.authorization) };
    const { address } = asked.selected;
    if (asked.asset.token !== signed.token || canonicalAddress(address) !== signed.authorization.to)
      throw stateConflict('Another asset was selected in the meantime. Read the session, then sign again.');
    return { known: null, asked, sponsoring: await this.requireAcceptable(asked, signed, underWay) };
  }

  private async asked(sessionId: string): Promise<SessionToPay> {
    const session = await this.queries.get(sessionId);
    const { selected } = session;
    if (selected === undefined) {
      if (isEnded(session.status)) throw new CheckoutEndedError();
      throw stateConflict('No asset is selected yet. Select one, then sign.');
    }
    const asset = this.catalogue.asset(selected.uniqueAssetId);
    if (asset === undefined)
      throw stateConflict('The selected asset is no longer supported. Select another one.');
    return { session, selected, asset };
  }

  private async requireAcceptable(
    { session, selected, asset }: SessionToPay,
    { authorization }: SignedTransferAuthorization,
    underWay: bigint,
  ): Promise<GasSponsorshipLimits> {
    const now = await this.clock.now();
    if (isEnded(session.status) || now >= session.expiresAt) throw new CheckoutEndedError();
    const missing = selected.amount - selected.receivedAmount;
    if (missing <= 0n)
      throw stateConflict('This checkout is paid and awaits confirmations. Do not pay again.');
    const network = this.catalogue.network(asset.network);
    if (isNative(asset)) throw new NotSponsoredError('asset');
    if (network?.sponsoring === undefined) throw new NotSponsoredError('network');
    requireAuthorizedValue(authorization.value, missing, asset);
    requireTransferAuthorizationValidity(authorization, now, network.blockSeconds);
    if (authorization.value > missing - underWay)
      throw stateConflict('Another authorization already pays this checkout. Wait for it; do not pay again.');
    return network.sponsoring;
  }

  /** The balance must cover all of the payer's pending authorizations, because each reverted call costs gas. */
  private async requireCoveringBalance(
    { network, token, authorization }: SignedTransferAuthorization,
    balance: bigint,
  ) {
    const { from, value } = authorization;
    const promised = await this.authorizations.sumUnseenOfPayerAddress(network, token, from);
    if (promised + value <= balance) return;
    const says = `${from} holds ${balance} units, ${promised} of which are needed for pending payments.`;
    throw transferAuthorizationRefusedError('balance', says);
  }
}

function toSignedAuthorization(
  { selected, asset }: SessionToPay,
  { authorization, signature }: SubmittedAuthorization,
): SignedTransferAuthorization {
  const { network, token } = asset;
  const { from, value, validAfter, validBefore, nonce } = authorization;
  return {
    network,
    token,
    authorization: {
      ...{
        from: canonicalAddress(from),
        to: canonicalAddress(selected.address),
        value,
        validAfter,
        validBefore,
      },
      nonce: nonce.toLowerCase(),
    },
    signature: signature.toLowerCase(),
  };
}

function submissionKey(
  sessionId: string,
  { network, token, authorization, signature }: SignedTransferAuthorization,
): string {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return [sessionId, network, token, from, to, value, validAfter, validBefore, nonce, signature].join(' ');
}

/** Accepts a different signature of the same message. @throws state_conflict, authorization_refused */
export function toAuthorizationView(
  known: AuthorizationProgress,
  session: Pick<CheckoutView, 'id'>,
  authorization: SubmittedAuthorization['authorization'],
): AuthorizationView {
  const messageOf = ({ value, validAfter, validBefore }: SubmittedAuthorization['authorization']) =>
    [value, validAfter, validBefore].join(' ');
  if (known.paymentRequestId !== session.id || messageOf(known.authorization) !== messageOf(authorization))
    throw stateConflict('The payer has already used this nonce for another payment. Sign with a new nonce.');
  if (known.failure !== null)
    throw transferAuthorizationRefusedError(known.failure.reason, known.failure.says);
  const { transactionHash } = known;
  return {
    status: known.isSeen ? 'seen' : (known.state as 'queued' | 'sent'),
    ...(transactionHash !== null && { transactionHash }),
  };
}
