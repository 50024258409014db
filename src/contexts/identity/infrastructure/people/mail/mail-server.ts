import { Injectable, Logger } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import type { Mail } from '#contexts/identity/domain/people/mails.js';
import { PeopleSettings } from '../../identity-settings.js';

const TIMEOUT_MS = 10_000;

/** The operator's mail server; without one, in development, mails are printed in the log. */
@Injectable()
export class MailServer {
  private readonly log = new Logger('mail');
  private readonly transport: Transporter | undefined;

  constructor(private readonly settings: PeopleSettings) {
    const { smtpUrl } = settings;
    if (smtpUrl === undefined) return;
    this.transport = createTransport({
      url: smtpUrl,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      requireTLS: smtpUrl.startsWith('smtp:') && !isLoopback(smtpUrl),
    });
  }

  /** @throws the error of the server or of the connection */
  async send({ recipient, subject, body }: Mail): Promise<void> {
    if (this.transport === undefined) {
      this.log.log(`Mail to ${recipient}: ${subject}\n${body}`);
      return;
    }
    await this.transport.sendMail({ from: this.settings.mailFrom, to: recipient, subject, text: body });
  }
}

function isLoopback(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
}
