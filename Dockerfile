# One image, three commands: the API (default; GET /health says whether it is well), `node dist/worker.js`, and
# `node dist/cli.js` for the operator, whose `migrate` alone wants MIGRATION_DATABASE_URL.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /service
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24.21.0-bookworm-slim
# Errors name lines of the TypeScript, not of the bundle.
ENV NODE_ENV=production NODE_OPTIONS=--enable-source-maps
WORKDIR /service
COPY --from=build /service/package.json ./
COPY --from=build /service/node_modules node_modules
COPY --from=build /service/dist dist
COPY --from=build /service/migrations migrations
COPY --from=build /service/solidity/artifacts solidity/artifacts
USER node
EXPOSE 3000
CMD ["node", "dist/main.js"]
