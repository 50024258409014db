# One image, three commands: the API (the default), `node dist/worker.js`, and `node dist/cli.js` for the operator, whose
# `migrate` alone wants MIGRATION_DATABASE_URL. It writes no file: run it with a read-only file system.
FROM node:24.22.2-bookworm-slim AS build
WORKDIR /service
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY . .
RUN node scripts/build-image.mjs image

FROM node:24.22.2-bookworm-slim
# Errors name lines of the TypeScript, not of the bundle.
ENV NODE_ENV=production NODE_OPTIONS=--enable-source-maps HTTP_HOST=0.0.0.0
WORKDIR /service
COPY --from=build /service/image ./
USER node
EXPOSE 3000
# Live, not ready: what restarts an unhealthy container must not do so while the database or a network is away. A proxy asks
# /health/ready.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HTTP_PORT ?? 3000}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
