import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CallerAddress, callerRange } from '#shared/platform/http/callers/caller-address.js';
import type { DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import type { Visit } from '#contexts/identity/application/people/dashboard-sessions.js';
import { ProofNeeded } from './dashboard-refusals.js';

const PROOF_IS_FRESH_MS = 10 * 60_000;

/** From where people come. */
@Injectable()
export class Visits {
  constructor(private readonly addresses: CallerAddress) {}

  /** @returns also what the caller's attempts are counted under */
  of(request: Request): Visit & { caller: string } {
    const address = this.addresses.addressOf(request);
    return { address, caller: callerRange(address), userAgent: request.headers['user-agent'] ?? '' };
  }
}

/** Whether the second factor was shown lately. On the way in there is none to show. */
export function hasFreshProof({ stage, factorProvenAt, at }: DashboardVisitor): boolean {
  if (stage === 'enrolling') return true;
  return factorProvenAt !== null && at.getTime() - factorProvenAt.getTime() <= PROOF_IS_FRESH_MS;
}

/** Before a page that shows a secret. @throws ProofNeeded */
export function demandFreshProof(visitor: DashboardVisitor): void {
  if (!hasFreshProof(visitor)) throw new ProofNeeded();
}
