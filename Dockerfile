# syntax=docker/dockerfile:1
FROM maven:3.9-eclipse-temurin-17 AS build
WORKDIR /src
COPY .mvn .mvn
COPY pom.xml .
COPY sql sql
COPY src/main src/main
RUN --mount=type=cache,target=/root/.m2 mvn -B -ntp -q -Dmaven.test.skip=true package

FROM eclipse-temurin:25-jre
RUN groupadd --system --gid 10001 ask \
    && useradd --system --uid 10001 --gid ask --home-dir /app --no-create-home ask \
    && mkdir /app
COPY --from=build --chown=root:root /src/target/ask-gateway.jar /app/ask-gateway.jar
USER 10001:10001
WORKDIR /app

# The tokenizer's native library is unpacked here; nothing is ever fetched from a network.
ENV PORT=8080 \
    DJL_CACHE_DIR=/tmp/djl \
    ENGINE_CACHE_DIR=/tmp/djl \
    DJL_OFFLINE=true \
    OPT_OUT_TRACKING=true
EXPOSE 8080

# The image has no curl and no wget, and a JVM a check would cost half a second of CPU each.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${ASK_HTTP_PORT:-$PORT} && printf 'GET /health/live HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]

# Out of memory ends the process, so that its orchestrator starts another and its leases lapse.
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=70", "-XX:+ExitOnOutOfMemoryError", \
  "-jar", "/app/ask-gateway.jar"]
CMD ["serve"]
