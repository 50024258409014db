import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnChild, waitUntil } from '#sandbox/processes/child-process.js';
import type { Certificate } from './test-authority.js';

interface Site {
  readonly port: number;
  /** Hosts and ports where requests go, by plain http; one that does not take a connection is passed over. */
  readonly upstreams: readonly string[];
}

/** The configuration is that of docs/operating/production.md: TLS ends here, and the caller's address goes on in X-Forwarded-For. */
const site = ({ certificate, key }: Certificate, { port, upstreams }: Site) => `
  upstream behind_${port} {
    ${upstreams.map((one) => `server ${one} max_fails=0;`).join(' ')}
  }
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${certificate};
    ssl_certificate_key ${key};
    location / {
      proxy_pass http://behind_${port};
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
    }
  }`;

/** nginx in front of each site, by https on the loopback address. @throws Error that says what nginx wrote */
export async function startReverseProxy(folder: string, certificate: Certificate, sites: readonly Site[]) {
  mkdirSync(folder, { recursive: true });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const configuration = `daemon off; pid ${join(folder, 'pid')}; error_log ${join(folder, 'error.log')};
events {}
http {
  access_log ${join(folder, 'access.log')};
  ${temporary.join('\n  ')}
  ${sites.map((one) => site(certificate, one)).join('')}
}
`;
  const [file, logFile] = [join(folder, 'nginx.conf'), join(folder, 'output.log')];
  writeFileSync(file, configuration);
  const command = 'nginx';
  const nginx = await spawnChild({ command, args: ['-c', file], deathSignal: 'SIGKILL', logFile });
  const answers = () =>
    fetch(`https://localhost:${sites[0]!.port}/`).then(
      () => true,
      () => false,
    );
  if (!(await waitUntil(answers, { timeoutMs: 20_000 })))
    throw new Error(`nginx does not answer: ${logFile}`);
  return { stop: () => nginx.end('SIGTERM') };
}
