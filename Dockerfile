FROM node:26.10.0-bookworm-slim AS build
WORKDIR /build
COPY . .
# Download only the packages in the lockfile, and don't run their scripts.
RUN npx --yes pnpm@12.21.0 install --frozen-lockfile --ignore-scripts --filter '@compliance/cli...' --filter portfolio-compliance \
 && npx --yes pnpm@12.21.0 --filter '@compliance/cli...' build \
 && npx --yes pnpm@12.21.0 --filter @compliance/cli deploy --prod --legacy --ignore-scripts /app \
 # Signing needs this package, which is an optional peer dependency of the `compliance` command.
 && npx --yes pnpm@12.21.0 --filter @compliance/signing deploy --prod --legacy --ignore-scripts /app/node_modules/@compliance/signing \
 # Rendering, which is off by default, needs this optional peer dependency.
 && npx --yes pnpm@12.21.0 --filter @compliance/renderer deploy --prod --legacy --ignore-scripts /app/node_modules/@compliance/renderer \
 # Remove the font sources, because the built packages already contain the fonts.
 && rm -rf /app/node_modules/.pnpm/@expo-google-fonts*

FROM node:26.10.0-bookworm-slim
ENV NODE_ENV=production COMPLIANCE_DATA=/data COMPLIANCE_LISTEN_ADDRESS=0.0.0.0 COMPLIANCE_LOG=info
COPY --from=build /app /app
# Rendering needs the `ip` command and two libraries that Chromium loads.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends iproute2 libnss3 \
 && rm -rf /var/lib/apt/lists/* \
 && ln -s /app/dist/main.js /usr/local/bin/compliance \
 && chmod +x /app/dist/main.js \
 && install -d -o node -g node -m 700 /data
USER 1000:1000
VOLUME /data
EXPOSE 8787
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8787/readyz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["compliance"]
CMD ["serve"]
