import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** PEM files of one server's certificate, for `localhost` and 127.0.0.1. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** A certificate authority of an hour; this process trusts it from then on. */
export class TestAuthority {
  /** PEM, as `NODE_EXTRA_CA_CERTS` and `sslrootcert` take it. */
  readonly certificate: string;
  private readonly key: string;

  constructor(private readonly folder: string) {
    [this.certificate, this.key] = [join(folder, 'authority.pem'), join(folder, 'authority.key')];
    const subject = ['-subj', '/CN=Rehearsal authority', '-addext', 'basicConstraints=critical,CA:TRUE'];
    openssl('req', '-x509', ...newKey(this.key), ...subject, '-days', '1', '-out', this.certificate);
    setDefaultCACertificates([...getCACertificates('default'), readFileSync(this.certificate, 'utf8')]);
  }

  issue(name: string): Certificate {
    const file = (ending: string) => join(this.folder, `${name}.${ending}`);
    writeFileSync(file('ext'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
    openssl('req', ...newKey(file('key')), '-subj', `/CN=${name}`, '-out', file('csr'));
    const by = ['-CA', this.certificate, '-CAkey', this.key, '-CAcreateserial', '-extfile', file('ext')];
    openssl('x509', '-req', '-in', file('csr'), ...by, '-days', '1', '-out', file('pem'));
    return { certificate: file('pem'), key: file('key') };
  }
}

const newKey = (file: string) => ['-newkey', 'rsa:2048', '-noenc', '-keyout', file];

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' });
}
