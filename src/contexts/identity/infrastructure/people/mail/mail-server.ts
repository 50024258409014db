import { Injectable } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { isLoopbackHost } from '#shared/kernel/ip-range.js';
import { PeopleSettings } from '../../identity-settings.js';
import type { OutgoingMail } from '../persistence/postgres-mails.js';
import { EventLogger } from '#shared/platform/logging/event-logger.js';

const CONNECTED_WITHIN_MS = 10_000;
/** Servers that defend themselves against spam greet late, and check a message before they answer. */
const GREETED_WITHIN_MS = 30_000;
const ANSWERED_WITHIN_MS = 60_000;
/** No program should answer: no vacation notices (RFC 3834; the second is what Exchange reads). */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** The operator's mail server; without one, in development, mails are printed in the log. */
@Injectable()
export class MailServer {
  private readonly log = new EventLogger('mail');
  private readonly transport: Transporter | undefined;

  constructor(private readonly settings: PeopleSettings) {
    const { smtpUrl } = settings;
    if (smtpUrl === undefined) return;
    this.transport = createTransport({
      url: smtpUrl,
      connectionTimeout: CONNECTED_WITHIN_MS,
      greetingTimeout: GREETED_WITHIN_MS,
      socketTimeout: ANSWERED_WITHIN_MS,
      requireTLS: smtpUrl.startsWith('smtp:') && !isLoopbackHost(new URL(smtpUrl).hostname),
    });
  }

  /** @throws the error of the server or of the connection */
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
      // The same each time: a program that gets a mail twice may show it once.
      messageId: `<${id}@${this.settings.mailFrom
        .split('@')
        .at(-1)!
        .replace(/[^A-Za-z0-9.-]/g, '')}>`,
      from: this.settings.mailFrom,
      // As a text, a comma in it would make it two.
      to: { name: '', address: recipient },
      subject,
      text: body,
      ...(html !== null && { html }),
      ...(attachment && { attachments: [attachment] }),
      headers: {
        ...AUTOMATIC,
        ...(unsubscribeUrl !== null && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
      },
      ...(unsubscribeUrl !== null && { list: { unsubscribe: unsubscribeUrl } }),
    });
  }
}
