# The gateway as an image: docs/operations/docker.md. Why it is made so: docs/decisions/0030-jvm-and-image.md.
# Everything here works with a classic engine as well; nothing needs BuildKit.
ARG BUILD=maven:3.9-eclipse-temurin-25
ARG JRE=eclipse-temurin:25-jre

# What pom.xml alone decides: the libraries, and whatever Maven needs to build with.
FROM ${BUILD} AS libraries
WORKDIR /src
COPY .mvn .mvn
COPY pom.xml ./
# One file to compile, so that the compiler's own libraries are fetched here too.
COPY src/main/java/dev/askgateway/core/package-info.java src/main/java/dev/askgateway/core/
RUN mvn -B -ntp -q -Pimage -Dmaven.test.skip=true package
# Native libraries: those of this machine move out of the jars, as nothing that is unpacked to a /tmp without
# exec could be loaded; those of others, and debug symbols, go. Times are fixed: layers are used again by content,
# and the cache of classes below is for jars of that time only.
WORKDIR /src/target/image
RUN set -eu; machine="$(uname -m)"; mkdir native; \
    case "$machine" in x86_64) onnx=linux-x64 ;; aarch64) onnx=linux-aarch64 ;; *) echo "not for $machine"; exit 1 ;; esac; \
    for jar in lib/onnxruntime-*.jar lib/tokenizers-*.jar lib/netty-transport-native-epoll-*-linux-*.jar; do \
      mkdir jar; (cd jar && jar xf "../$jar"); \
      find jar -path "*/$onnx/*.so" -exec mv {} native/ ';' ; \
      find jar -path "*/linux-$machine/cpu/*.so" -exec mv {} native/ ';' ; \
      find jar -name "libnetty_*_${machine%64}*64.so" -exec mv {} native/ ';' ; \
      rm -rf jar/ai/onnxruntime/native jar/native/lib/*-* jar/META-INF/native/*.so; \
      (cd jar && find . -type f ! -path ./META-INF/MANIFEST.MF | LC_ALL=C sort >../entries \
        && jar --create --file "../$jar" --date 2026-01-01T00:00:00Z --manifest META-INF/MANIFEST.MF @../entries); \
      rm -rf jar entries; \
    done; \
    ls native/libonnxruntime.so native/libonnxruntime4j_jni.so native/libtokenizers.so native/libnetty_*.so; \
    find lib native -exec touch -d 2026-01-01T00:00:00Z {} +

FROM libraries AS build
WORKDIR /src
COPY sql sql
COPY src/main/resources src/main/resources
COPY src/main/java src/main/java
RUN mvn -B -ntp -q -Pimage -Dmaven.test.skip=true package \
    && touch -d 2026-01-01T00:00:00Z target/image/ask-gateway.jar

FROM ${JRE} AS base
RUN groupadd --system --gid 10001 ask \
    && useradd --system --uid 10001 --gid ask --home-dir /app --no-create-home ask \
    && mkdir /app
WORKDIR /app
COPY --from=libraries /src/target/image/lib lib
COPY --from=libraries /src/target/image/native native
# Where the embedding model and the sockets find their native libraries. Nothing is ever fetched from a network.
ENV PORT=8080 \
    LD_LIBRARY_PATH=/app/native \
    RUST_LIBRARY_PATH=/app/native/libtokenizers.so \
    DJL_OFFLINE=true \
    OPT_OUT_TRACKING=true

# The classes as Java has read and linked them, from a start of the edge alone.
FROM base AS trained
COPY --from=build /src/target/image/ask-gateway.jar ./
COPY src/main/docker/ ./
RUN bash train.sh

FROM base
COPY src/main/docker/jvm.options src/main/docker/jvm-lean.options ./
COPY --from=build /src/target/image/ask-gateway.jar ./
COPY --from=trained /app/ask-gateway.aot ./
ARG JRE
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Ask Gateway" \
      org.opencontainers.image.description="Grounded answers over a person's own conversations, streamed." \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.base.name="${JRE}"
# A variable of Java's own launcher: setting it replaces the options, without a shell and without another image.
ENV JDK_JAVA_OPTIONS=@/app/jvm.options \
    LOG_FORMAT=json
USER 10001:10001
EXPOSE 8080
# Whether the process lives, not whether it can serve: a new container repairs no database. There is no curl, and a
# JVM would cost each check thirty times the CPU.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${ASK_HTTP_PORT:-$PORT} && printf 'GET /health/live HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
ENTRYPOINT ["java", "-XX:AOTCache=/app/ask-gateway.aot", "-jar", "/app/ask-gateway.jar"]
CMD ["serve"]
