import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export class SmtpReceiver {
  readonly mails: string[] = [];
  /** Answered to the next recipients, in place of taking the mail. */
  refusals: string[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer((socket) => this.serve(socket));
  }

  listen(): Promise<number> {
    return new Promise((resolve) =>
      this.server.listen(0, '127.0.0.1', () => resolve((this.server.address() as AddressInfo).port)),
    );
  }

  close(): void {
    this.server.close();
  }

  private serve(socket: Socket): void {
    let mail: string | undefined;
    let rest = '';
    const say = (line: string) => socket.write(`${line}\r\n`);
    say('220 receiver');
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      rest += bytes.toString();
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (mail !== undefined) {
          if (line !== '.') mail += `${line}\n`;
          else {
            this.mails.push(mail);
            mail = undefined;
            say('250 taken');
          }
        } else if (line === 'DATA') {
          mail = '';
          say('354 go on');
        } else if (line.startsWith('EHLO')) say('250-receiver\r\n250 AUTH PLAIN');
        else if (line.startsWith('AUTH')) say('235 welcome');
        else if (line === 'QUIT') socket.end('221 bye\r\n');
        else if (line.startsWith('RCPT')) say(this.refusals.shift() ?? '250 ok');
        else say('250 ok');
      }
    });
  }
}
