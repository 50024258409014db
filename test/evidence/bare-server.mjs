// The limit that polls are measured against: a server that answers 304 to everything and nothing else.
import { createServer } from 'node:http';

const server = createServer((_request, response) => response.writeHead(304, { ETag: '"same"' }).end());
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
