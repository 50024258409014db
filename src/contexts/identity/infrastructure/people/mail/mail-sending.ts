import { Injectable } from '@nestjs/common';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { type OutgoingMail, OutgoingMailQueue } from '../persistence/outgoing-mail-queue.js';
import { MailServer } from './mail-server.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { IDENTITY_LOG_EVENTS } from '../../log-events.js';

const POLL_INTERVAL_MS = 2_000;
const MAILS_PER_ITERATION = 20;
const FIRST_RETRY_SECONDS = 10;
const MAX_RETRY_SECONDS = 3_600;

/** A duplicate is better than a lost mail. */
@Injectable()
export class MailSending extends BackgroundWork {
  private readonly log = new OperatorLogWriter('mail', IDENTITY_LOG_EVENTS);

  constructor(
    private readonly mails: OutgoingMailQueue,
    private readonly server: MailServer,
    leases: Leases,
  ) {
    const options = { name: 'mail sending', idleMs: POLL_INTERVAL_MS };
    super([new LeasedLoop(options, leases, () => this.sendDueMails())]);
  }

  private async sendDueMails(): Promise<boolean> {
    const due = await this.mails.findDue(MAILS_PER_ITERATION);
    for (const mail of due) await this.send(mail);
    return due.length === MAILS_PER_ITERATION;
  }

  private async send(mail: OutgoingMail): Promise<void> {
    try {
      await this.server.send(mail);
    } catch (error) {
      const seconds = Math.min(MAX_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** Math.min(mail.attempts, 10));
      const isKept = await this.mails.retryOrRemove(mail.id, seconds, isPermanentRejection(error));
      const reason = failureReasonOf(error);
      if (isKept) this.log.write('mail.delayed', { reason, retry_in_seconds: seconds });
      else this.log.write('mail.dropped', { reason });
      return;
    }
    await this.mails.removeSent(mail.id);
  }
}

/** The server's message may contain the recipient's address. */
function failureReasonOf(error: unknown): string {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number };
  return [code, responseCode, command].filter((part) => part !== undefined).join(', ') || 'no reason';
}

/** The operator can fix a rejected sender or password, and the mail can be sent later. */
function isPermanentRejection(error: unknown): boolean {
  const { command, responseCode = 0 } = error as { command?: string; responseCode?: number };
  return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA');
}
