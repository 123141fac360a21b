# The server as an image: `docker build --tag kalends .`, then with the calendar in a volume
#
#   docker run --detach --publish 127.0.0.1:3000:3000 --volume calendar:/data kalends
#
# `docker logs` shows the password of the first administrator once. More than one: examples/compose.

FROM node:26-slim
WORKDIR /kalends
COPY package.json package-lock.json ./
# The package of Node is for machines that have none.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/node-linux-* && npm cache clean --force
COPY bin ./bin
COPY src ./src
COPY locales ./locales
COPY docs ./docs
# A volume that is new takes over the owner of the folder that it covers.
RUN mkdir /data /media && chown node:node /data /media
USER node
ENV KALENDS_HOST=0.0.0.0 KALENDS_PORT=3000 KALENDS_DATA=/data
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.KALENDS_PORT + '/kalends/v1/health').then((r) => process.exit(r.ok ? 0 : 1))"]
# Less memory and shorter pauses: docs/operate.md, Sizing.
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=60", "--v8-pool-size=1", "bin/kalends.js", "serve"]
