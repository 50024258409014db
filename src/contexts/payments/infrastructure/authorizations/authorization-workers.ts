import { Injectable } from '@nestjs/common';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import {
  ProcessAuthorizations,
  type ProcessedAuthorization,
} from '../../application/authorizations/process-authorizations.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { PAYMENTS_LOG_EVENTS } from '../log-events.js';

/** Short, because the payer waits. The API stores authorizations in another process, so this worker polls for them. */
const POLL_EVERY_MS = 500;
/** Networks without sponsoring only have older authorizations to finish. */
const POLL_WITHOUT_SPONSORING_EVERY_MS = 30_000;

@Injectable()
export class TransferAuthorizationWorkers extends BackgroundWork {
  private readonly log = new OperatorLogWriter('authorizations', PAYMENTS_LOG_EVENTS);

  constructor(
    catalogue: NetworkCatalogue,
    leases: Leases,
    private readonly processAuthorizations: ProcessAuthorizations,
  ) {
    // Correctness does not depend on the leases: each step prevents sending a transaction twice.
    super(
      catalogue.networks().map(({ network, sponsoring }) => {
        const idleMs = sponsoring === undefined ? POLL_WITHOUT_SPONSORING_EVERY_MS : POLL_EVERY_MS;
        const options = { name: `payments by signature on ${network}`, idleMs };
        return new LeasedLoop(options, leases, async () => {
          for (const each of await this.processAuthorizations.process(network)) this.report(each);
          return false;
        });
      }),
    );
  }

  private report({ authorization, says, ended }: ProcessedAuthorization): void {
    const { id, network, paymentRequestId } = authorization;
    const about = { authorization_id: id, network, payment_request_id: paymentRequestId };
    const state = `${ended} ${says}`;
    if (ended === 'seen') this.log.writeOnce(id, state, 'authorization.completed', about);
    else {
      const event = ended === 'failed' ? 'authorization.failed' : 'authorization.held';
      this.log.writeOnce(id, state, event, { ...about, reason: says });
    }
    if (ended !== null) this.log.forgetLoggedState(id);
  }
}
