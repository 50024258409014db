// The limit that a read is measured against: a server that sends the same prepared statements with the same values, one after
// the other, and answers the last row as JSON; no proof, no validation, no presenting, no log. Sent where the database is and
// which statements, it says its port.
import { createServer } from 'node:http';
import pg from 'pg';

process.once('message', ({ databaseUrl, connections, statements }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connections, application_name: 'bare' });
  const answer = async () => {
    let rows;
    for (const [n, { text, values }] of statements.entries())
      ({ rows } = await pool.query({ name: `statement-${n}`, text, values }));
    return JSON.stringify({ status: 'success', data: rows[0] });
  };
  const server = createServer((_request, response) => {
    answer()
      .then((body) => {
        response.writeHead(200, {
          'Content-Type': 'application/json; charset=utf-8',
          'Content-Length': Buffer.byteLength(body),
        });
        response.end(body);
      })
      .catch((error) => response.writeHead(500).end(String(error.stack)));
  });
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
});
