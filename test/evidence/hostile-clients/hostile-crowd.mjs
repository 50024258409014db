// A crowd of hostile clients: so many connections that do as their kind does, each opened again once it was closed. Sent
// { kind, host, port, count, addresses, head, body }, it says how many it has opened; sent { stop: true }, it closes them and
// says how many were open at last, how often one was closed on it, and how often none could be opened.
import { connect } from 'node:net';
import { clearInterval, setInterval } from 'node:timers';

/** Opened at once; more would only wait in the listener's queue. */
const AT_ONCE = 64;
const REST_MS = 20;

const GET = 'GET /docs-json HTTP/1.1\r\nHost: x\r\n\r\n';

/** Each kind does this with a connection. @returns what is to be done again every second */
const KINDS = {
  idle: () => undefined,
  headers: (socket) => {
    socket.write('GET /health HTTP/1.1\r\nHost: x\r\n');
    return () => socket.write('a: b\r\n');
  },
  body: (socket, { head, body }) => {
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n`);
    let sent = 0;
    return () => socket.write(body[Math.min(sent++, body.length - 2)]);
  },
  deaf: (socket) => {
    socket.pause();
    socket.write(GET.repeat(16));
  },
  ahead: (socket, { head }) => {
    socket.write(`${head}Content-Length: 2\r\n\r\n{}`.repeat(200));
  },
  many: (socket, { head }) => {
    socket.write(`${head}${'a:\r\n'.repeat(3_000)}Content-Length: 2\r\n\r\n{}`);
    return () => socket.write(`${head}${'a:\r\n'.repeat(3_000)}Content-Length: 2\r\n\r\n{}`);
  },
};

const crowd = { sockets: new Set(), closed: 0, failed: 0, isOver: false };

function open(asked, n) {
  return new Promise((resolve) => {
    const localAddress = `127.0.1.${1 + (n % asked.addresses)}`;
    const socket = connect({ host: asked.host, port: asked.port, localAddress });
    let timer;
    socket.on('connect', () => {
      crowd.sockets.add(socket);
      if (asked.kind !== 'deaf') socket.resume();
      const again = KINDS[asked.kind](socket, asked);
      if (again !== undefined) timer = setInterval(() => socket.writable && again(), 1_000);
      resolve();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      if (crowd.sockets.delete(socket)) crowd.closed += 1;
      else crowd.failed += 1;
      resolve();
      if (!crowd.isOver) setTimeout(() => crowd.isOver || open(asked, n), REST_MS);
    });
  });
}

async function gather(asked) {
  Object.assign(crowd, { sockets: new Set(), closed: 0, failed: 0, isOver: false });
  for (let n = 0; n < asked.count; n += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, asked.count - n) }, (_, i) => open(asked, n + i));
    await Promise.all(some);
  }
  return { opened: crowd.sockets.size };
}

function disperse() {
  crowd.isOver = true;
  const { closed, failed } = crowd;
  const opened = crowd.sockets.size;
  for (const socket of crowd.sockets) socket.destroy();
  return { opened, closed, failed };
}

process.on('message', async (asked) => {
  process.send(asked.stop ? disperse() : await gather(asked));
});
