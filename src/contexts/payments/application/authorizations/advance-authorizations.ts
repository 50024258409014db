import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import {
  AuthorizationRefused,
  type AuthorizedTransfers,
} from '#contexts/networks/contract/authorized-transfers.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { GAS_KEY, Sender, type SendingFate } from '#contexts/networks/contract/sender.js';
import type { PlannedTransfer } from '#contexts/networks/contract/transfer-planning.js';
import { isTooLateToSend } from '../../domain/authorizations/authorization-rule.js';
import type {
  DueAuthorization,
  FailureDetail,
  PutOffAuthorization,
} from '../../domain/authorizations/authorization.js';
import { Authorizations } from '../../infrastructure/authorizations/persistence/authorizations.js';
import { isEnded } from '../../domain/requests/status.js';

export interface AdvancedAuthorization {
  readonly authorization: DueAuthorization;
  /** Reason why the authorization is blocked or failed; null if it was executed. */
  readonly says: string | null;
  readonly ended: 'seen' | 'failed' | null;
}

const MAX_AT_ONCE = 100;
/** Seconds before a retry if a node, the gas key or the gas price blocks an authorization. */
const TRY_AGAIN_SECONDS = 3;
/**
 * Seconds between checks of an outbound transaction, or of an authorization that a third party appears to have
 * executed.
 */
const LOOK_AGAIN_SECONDS = 1;
/** Seconds between checks of a mined transaction that awaits finality. */
const LOOK_AT_MINED_SECONDS = 5;
/**
 * Number of consecutive refusals by simulation after which an authorization fails. A single refusal may be
 * temporary or come from a lagging node.
 */
const MAX_REFUSALS = 5;

/** Thrown if the authorization has ended, or another process has sent it. Rolls back the reservation of the nonce. */
class NotToBeSent extends Error {}

/**
 * Processes authorizations in two repeatable steps, each stored before the next:
 * 1. Send: simulates the authorization again, then marks it as sent in the database transaction that reserves its
 *    nonce. A queued authorization therefore has no nonce and can be ended.
 * 2. End: final blocks decide what happened to the outbound transaction. The watcher decides whether the transfer
 *    was seen.
 */
@Injectable()
export class AdvanceAuthorizations {
  constructor(
    private readonly authorizations: Authorizations,
    private readonly chains: Chains,
    private readonly sender: Sender,
    private readonly catalogue: NetworkCatalogue,
    private readonly clock: Clock,
  ) {}

  /** Processes due authorizations. If one fails, the others are still processed. */
  async advance(network: string): Promise<AdvancedAuthorization[]> {
    const advanced: AdvancedAuthorization[] = [];
    for (const authorization of await this.authorizations.due(network, MAX_AT_ONCE)) {
      const done = await this.advanceOne(authorization).catch((error: unknown) =>
        this.putOff(authorization, error instanceof Error ? error.message : String(error)),
      );
      if (done !== null) advanced.push(done);
    }
    return advanced;
  }

  private transfersOf({ network }: DueAuthorization): AuthorizedTransfers {
    return this.chains.require(network, 'authorizedTransfers');
  }

  private async advanceOne(authorization: DueAuthorization): Promise<AdvancedAuthorization | null> {
    if (authorization.state === 'sent') return this.follow(authorization);
    const failure = await this.tooLate(authorization);
    if (failure !== null) return this.endUnsent(authorization, failure);
    const { missing, coming } = authorization.request!;
    if (authorization.authorization.value > missing - coming)
      return this.putOff(authorization, 'Another authorization was sent that may pay the missing amount.');
    try {
      await this.send(authorization, await this.transfersOf(authorization).plan(authorization));
    } catch (error) {
      if (error instanceof NotToBeSent) return null;
      if (!(error instanceof AuthorizationRefused)) throw error;
      const failure = { reason: error.reason, says: error.message };
      if (error.reason === 'used') return this.usedElsewhere(authorization, 0n, failure);
      if (authorization.refusals + 1 < MAX_REFUSALS)
        return this.putOff(authorization, error.message, { isRefused: true });
      return this.end(authorization, null, 0n, failure);
    }
    return this.lookAgain(authorization);
  }

  /**
   * Ends an authorization that was not sent. First checks whether a third party has executed it, which may be why
   * the checkout ended.
   */
  private async endUnsent(
    authorization: DueAuthorization,
    failure: FailureDetail,
  ): Promise<AdvancedAuthorization | null> {
    if (await this.transfersOf(authorization).isUsed(authorization))
      return this.usedElsewhere(authorization, 0n, failure);
    return this.end(authorization, null, 0n, failure);
  }

  /**
   * Returns why the authorization must no longer be sent, otherwise null. A transfer to a paid or ended request
   * would be an overpayment or a deposit, to which the payer did not agree.
   */
  private async tooLate(authorization: DueAuthorization): Promise<FailureDetail | null> {
    const { request, uniqueAssetId, network } = authorization;
    const { value } = authorization.authorization;
    const now = await this.clock.now();
    if (request === null || isEnded(request.status) || now >= request.expiresAt)
      return { reason: 'ended', says: 'The checkout ended before the transaction was sent.' };
    if (request.uniqueAssetId !== uniqueAssetId)
      return { reason: 'ended', says: 'Another asset was selected before the transaction was sent.' };
    if (value > request.missing)
      return {
        reason: 'ended',
        says: 'Another payment was received before the transaction was sent, so this one would pay too much.',
      };
    const { sponsoring, blockSeconds } = this.catalogue.network(network)!;
    if (sponsoring === undefined)
      return {
        reason: 'ended',
        says: 'The operator no longer pays the gas of payments by signature on this network.',
      };
    return isTooLateToSend(authorization.authorization, now, blockSeconds)
      ? { reason: 'time', says: 'The authorization expired before the transaction could be sent.' }
      : null;
  }

  private async send(
    { id, network, reservedCost }: DueAuthorization,
    { call }: PlannedTransfer,
  ): Promise<void> {
    const alongside = async () => {
      if (!(await this.authorizations.send(id))) throw new NotToBeSent();
    };
    const reservationCeiling = reservedCost / call.gasLimit;
    const order = {
      id,
      network,
      key: GAS_KEY,
      purpose: 'authorized_transfer',
      call,
      reservationCeiling,
      alongside,
    } as const;
    await this.sender.send(order);
  }

  private async follow(authorization: DueAuthorization): Promise<AdvancedAuthorization | null> {
    const fate = await this.sender.fate(authorization.id);
    // Without a gas cost in the receipt, the reserved cost is recorded.
    const cost = fate?.gasCost ?? authorization.reservedCost;
    switch (fate?.state) {
      case 'final':
      case 'reverted':
        return this.executed(authorization, fate, cost);
      case 'cancelled':
        return this.without(authorization, cost, 'The operator cancelled the transaction.');
      case 'foreign':
        return this.without(authorization, 0n, 'Another transaction of the gas key used its nonce.');
      case 'mined':
        return this.lookAgain(authorization, { seconds: LOOK_AT_MINED_SECONDS });
      default:
        return this.lookAgain(authorization);
    }
  }

  private async executed(
    authorization: DueAuthorization,
    { state, transactionHash, blockNumber }: SendingFate,
    cost: bigint,
  ): Promise<AdvancedAuthorization | null> {
    // The watcher decides whether the transfer exists, and may lag behind the sender. `isReadPast` is queried
    // before the transfer, so that a transfer stored between the two queries is found.
    const isReadPast = await this.authorizations.isReadPast(authorization.network, blockNumber!);
    const own = await this.authorizations.transferIn(authorization, transactionHash!);
    if (own !== null) return this.end(authorization, transactionHash, cost, null);
    if (!isReadPast) return this.lookAgain(authorization);
    const isUsed = state === 'reverted' && (await this.transfersOf(authorization).isUsed(authorization));
    // The call reverted because a third party had executed the authorization before. That transfer is in an earlier
    // block, which was read.
    const other = isUsed ? await this.authorizations.transferBySomebody(authorization) : null;
    const failure = { reason: 'not_executed', says: 'The transaction transferred nothing.' } as const;
    return this.end(authorization, other?.transactionHash ?? null, cost, other === null ? failure : null);
  }

  /** Ends an authorization whose outbound transaction was cancelled or replaced and can no longer execute it. */
  private async without(
    authorization: DueAuthorization,
    cost: bigint,
    says: string,
  ): Promise<AdvancedAuthorization | null> {
    if (await this.transfersOf(authorization).isUsed(authorization))
      return this.usedElsewhere(authorization, cost, { reason: 'used', says });
    return this.end(authorization, null, cost, { reason: 'not_executed', says });
  }

  /**
   * Handles an authorization whose nonce is used without our transaction. Anyone with the signature can execute the
   * transfer. The watcher may lag, so the authorization fails only after blocks were read past the use of the
   * nonce.
   */
  private async usedElsewhere(
    authorization: DueAuthorization,
    cost: bigint,
    failure: FailureDetail,
  ): Promise<AdvancedAuthorization | null> {
    const transfer = await this.authorizations.transferBySomebody(authorization);
    if (transfer?.isFinal === true) return this.end(authorization, transfer.transactionHash, cost, null);
    if (transfer !== null)
      return this.lookAgain(authorization, {
        transactionHash: transfer.transactionHash,
        seconds: LOOK_AT_MINED_SECONDS,
      });
    if (!authorization.isReadPastUse)
      return this.lookAgain(authorization, { held: failure.says, isUsed: true });
    return this.end(authorization, null, cost, failure);
  }

  private async lookAgain(
    { id }: DueAuthorization,
    putOff: Partial<PutOffAuthorization> = {},
  ): Promise<null> {
    await this.authorizations.putOff(id, { seconds: LOOK_AGAIN_SECONDS, ...putOff });
    return null;
  }

  private async end(
    authorization: DueAuthorization,
    transactionHash: string | null,
    gasCost: bigint,
    failure: FailureDetail | null,
  ): Promise<AdvancedAuthorization | null> {
    const hasEnded = await this.authorizations.end(authorization, { transactionHash, gasCost, failure });
    if (!hasEnded) return null;
    return { authorization, says: failure?.says ?? null, ended: failure === null ? 'seen' : 'failed' };
  }

  private async putOff(
    authorization: DueAuthorization,
    says: string,
    as: Pick<PutOffAuthorization, 'isRefused'> = {},
  ): Promise<AdvancedAuthorization> {
    await this.authorizations.putOff(authorization.id, { ...as, held: says, seconds: TRY_AGAIN_SECONDS });
    return { authorization, says, ended: null };
  }
}
