import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import {
  AuthorizationRefused,
  AuthorizedTransfers,
} from '#contexts/networks/contract/authorized-transfers.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { GAS_KEY, Sender, type SendingFate } from '#contexts/networks/contract/sender.js';
import type { PlannedTransfer } from '#contexts/networks/contract/transfer-planning.js';
import { isTooLateToSend } from '../../domain/authorizations/authorization-rule.js';
import {
  Authorizations,
  type DueAuthorization,
  type FailureDetail,
  type PutOffAuthorization,
} from '../../domain/authorizations/authorizations.js';
import { isEnded } from '../../domain/requests/status.js';

/** The outcome of a look at an authorization that is worth reporting. */
export interface AdvancedAuthorization {
  readonly authorization: DueAuthorization;
  /** Why it does not go on, or failed; null where it was carried out. */
  readonly says: string | null;
  readonly ended: 'seen' | 'failed' | null;
}

const MAX_AT_ONCE = 100;
/** The pause before one is tried again that a node, the gas key or the price of gas holds up. */
const TRY_AGAIN_SECONDS = 3;
/** The pause between looks at what was sent, and at what somebody else seems to have sent. */
const LOOK_AGAIN_SECONDS = 1;
/** The pause between looks at what is in a block, and waits to become final. */
const LOOK_AT_MINED_SECONDS = 5;
/** So many refusals in a row end it: one alone may come from a node that lags, or pass. */
const MAX_REFUSALS = 5;

/** It was ended, sent by another process, or paid otherwise before a nonce was reserved for it; no nonce is reserved. */
class NotToBeSent extends Error {}

/**
 * Carries authorizations to their end. Each step is stored before the next is taken, and can be repeated:
 * 1. sent: simulated anew, then noted in the transaction that reserves its sending's nonce. One that was not sent therefore has no
 *    nonce, and can be ended.
 * 2. ended: final blocks decide what became of the sending, and the watcher whether the transfer was seen.
 */
@Injectable()
export class AdvanceAuthorizations {
  constructor(
    private readonly authorizations: Authorizations,
    private readonly transfers: AuthorizedTransfers,
    private readonly sender: Sender,
    private readonly catalogue: NetworkCatalogue,
    private readonly clock: Clock,
  ) {}

  /** One that fails delays no other. */
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

  private async advanceOne(authorization: DueAuthorization): Promise<AdvancedAuthorization | null> {
    if (authorization.state === 'sent') return this.follow(authorization);
    const failure = await this.tooLate(authorization);
    if (failure !== null) return this.endUnsent(authorization, failure);
    const { missing, coming } = authorization.request!;
    if (authorization.authorization.value > missing - coming)
      return this.putOff(authorization, 'Another authorization was sent that may pay the missing amount.');
    try {
      await this.send(authorization, await this.transfers.plan(authorization));
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

  /** Somebody else may have carried it out, which may be what has ended the checkout. */
  private async endUnsent(
    authorization: DueAuthorization,
    failure: FailureDetail,
  ): Promise<AdvancedAuthorization | null> {
    if (await this.transfers.isUsed(authorization)) return this.usedElsewhere(authorization, 0n, failure);
    return this.end(authorization, null, 0n, failure);
  }

  /** A transfer for a request that is paid or has ended would be too much or a deposit, which its payer did not sign for. */
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
    // Where the receipt says no cost, what was reserved stands for it.
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
    // The watcher has the last word, and may be behind the sender. It is asked first: what it stores between the two is found.
    const isReadPast = await this.authorizations.isReadPast(authorization.network, blockNumber!);
    const own = await this.authorizations.transferIn(authorization, transactionHash!);
    if (own !== null) return this.end(authorization, transactionHash, cost, null);
    if (!isReadPast) return this.lookAgain(authorization);
    const isUsed = state === 'reverted' && (await this.transfers.isUsed(authorization));
    // It made the call revert, so it stands in an earlier block, which was read.
    const other = isUsed ? await this.authorizations.transferBySomebody(authorization) : null;
    const failure = { reason: 'not_executed', says: 'The transaction transferred nothing.' } as const;
    return this.end(authorization, other?.transactionHash ?? null, cost, other === null ? failure : null);
  }

  /** Nothing that was sent carried it out, and it is never sent again: its nonce was used by somebody else, or never will be. */
  private async without(
    authorization: DueAuthorization,
    cost: bigint,
    says: string,
  ): Promise<AdvancedAuthorization | null> {
    if (await this.transfers.isUsed(authorization))
      return this.usedElsewhere(authorization, cost, { reason: 'used', says });
    return this.end(authorization, null, cost, { reason: 'not_executed', says });
  }

  /**
   * Whoever knows the signature can have the token carry it out: then the transfer comes without a transaction of the service. It has
   * failed only once the network was read past that: the watcher may be behind.
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
