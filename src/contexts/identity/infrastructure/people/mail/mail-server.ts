import { Injectable } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { isLoopbackHost } from '#shared/kernel/ip-range.js';
import { SignInAndMailSettings } from '../../identity-settings.js';
import type { OutgoingMail } from '../persistence/outgoing-mail-queue.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { IDENTITY_LOG_EVENTS } from '../../log-events.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** Spam filters may delay the greeting, and may check a message before responding. */
const GREETING_TIMEOUT_MS = 30_000;
const RESPONSE_TIMEOUT_MS = 60_000;
/** Suppress vacation notices (RFC 3834; the second is for Exchange). */
const AUTOMATIC_MAIL_HEADERS = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** In development without a server, prints mails to the log. */
@Injectable()
export class MailServer {
  private readonly log = new OperatorLogWriter('mail', IDENTITY_LOG_EVENTS);
  private readonly transport: Transporter | undefined;

  constructor(private readonly settings: SignInAndMailSettings) {
    const { smtpUrl } = settings;
    if (smtpUrl === undefined) return;
    this.transport = createTransport({
      url: smtpUrl,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: GREETING_TIMEOUT_MS,
      socketTimeout: RESPONSE_TIMEOUT_MS,
      requireTLS: smtpUrl.startsWith('smtp:') && !isLoopbackHost(new URL(smtpUrl).hostname),
    });
  }

  async send({
    id,
    recipient,
    subject,
    body,
    html,
    unsubscribeUrl,
    attachment,
  }: OutgoingMail): Promise<void> {
    if (this.transport === undefined) {
      this.log.write('mail.printed', { recipient, subject, body });
      return;
    }
    await this.transport.sendMail({
      // The same for every attempt, so that mail programs can detect duplicates.
      messageId: `<${id}@${this.settings.mailFrom
        .split('@')
        .at(-1)!
        .replace(/[^A-Za-z0-9.-]/g, '')}>`,
      from: this.settings.mailFrom,
      // An object, because a comma in a string would create two recipients.
      to: { name: '', address: recipient },
      subject,
      text: body,
      ...(html !== null && { html }),
      ...(attachment && { attachments: [attachment] }),
      headers: {
        ...AUTOMATIC_MAIL_HEADERS,
        ...(unsubscribeUrl !== null && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
      },
      ...(unsubscribeUrl !== null && { list: { unsubscribe: unsubscribeUrl } }),
    });
  }
}
