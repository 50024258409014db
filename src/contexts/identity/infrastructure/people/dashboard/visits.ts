import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CallerAddress, callerRange } from '../../../../../shared/platform/http/callers/caller-address.js';
import type { DashboardVisitor } from '../../../../../shared/platform/http/dashboard/dashboard-visitor.js';
import type { Visit } from '../../../application/people/dashboard-sessions.js';
import { ProofNeeded } from './dashboard-refusals.js';

const PROOF_IS_FRESH_MS = 10 * 60_000;

/** From where people come. */
@Injectable()
export class Visits {
  constructor(private readonly addresses: CallerAddress) {}

  /** @returns also what the caller's attempts are counted under */
  of(request: Request): Visit & { caller: string } {
    const address = this.addresses.of(request);
    return { address, caller: callerRange(address), userAgent: request.headers['user-agent'] ?? '' };
  }
}

/**
 * Before a change of factors by someone signed in; on the way in there is none to show.
 * @throws ProofNeeded where the second factor was shown too long ago
 */
export function demandFreshProof({ stage, factorProvenAt, at }: DashboardVisitor): void {
  if (stage === 'enrolling') return;
  if (factorProvenAt === null || at.getTime() - factorProvenAt.getTime() > PROOF_IS_FRESH_MS)
    throw new ProofNeeded();
}
