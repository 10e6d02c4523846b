# One image for every service of Weir; the container's command names the service: coordinator, datanode or standalone.
FROM node:20-bookworm-slim AS build
WORKDIR /weir
# better-sqlite3 compiles from source wherever its prebuilt binary cannot be fetched. A compiler that is left behind in this stage needs no pin.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install --yes --no-install-recommends python3 make g++ \
  && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json .npmrc ./
COPY packages/shared/package.json packages/shared/
COPY packages/coordinator/package.json packages/coordinator/
COPY packages/datanode/package.json packages/datanode/
COPY packages/standalone/package.json packages/standalone/
COPY test/package.json test/
COPY bench/package.json bench/
COPY tools/package.json tools/
RUN npm ci --include-workspace-root --workspace=packages/shared --workspace=packages/coordinator \
  --workspace=packages/datanode --workspace=packages/standalone
COPY tsconfig.base.json ./
COPY packages packages
RUN npx tsc --build packages/coordinator packages/datanode packages/standalone \
  && npm prune --omit=dev

FROM node:20-bookworm-slim
WORKDIR /weir
COPY --from=build /weir/package.json ./
COPY --from=build /weir/node_modules node_modules
COPY --from=build /weir/packages packages
COPY scripts/container scripts/container
RUN mkdir /var/lib/weir && chown 1000:1000 /var/lib/weir
ENV NODE_ENV=production \
  WEIR_HOST=0.0.0.0 \
  WEIR_HTTP_PORT=9200 \
  WEIR_DATA_DIR=/var/lib/weir
# The user `node` of the base image, by number: a platform can then tell that it is not root.
USER 1000:1000
EXPOSE 9200
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "/weir/scripts/container/healthcheck.mjs"]
ENTRYPOINT ["/weir/scripts/container/entrypoint.sh"]
CMD ["standalone"]
