# Glassformer on a processor: docker build -t glassformer . && docker run --read-only --tmpfs /tmp -p 8501:7860 glassformer
# A Space of Hugging Face builds it as it stands (.deploy/README.md).
FROM python:3.11-slim-bookworm
ARG REQUIREMENTS=.deploy/requirements.txt
# Models of the hub are kept in ~/.cache: a volume, where the root is read-only.
RUN useradd --create-home --uid 1000 reader && install --directory --owner reader /home/reader/.cache
WORKDIR /app
COPY ${REQUIREMENTS} /tmp/requirements.txt
RUN pip install --no-cache-dir --requirement /tmp/requirements.txt && rm /tmp/requirements.txt
COPY app app
COPY core core
COPY assets assets
COPY .streamlit .streamlit
COPY .deploy/serve.yaml .deploy/serve.yaml
# The root may be read-only: what Python would write while it runs is written now.
RUN python -m compileall -q app core
USER reader
ENV PORT=7860 PYTHONUNBUFFERED=1
EXPOSE 7860
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD python -c "import os, urllib.request; urllib.request.urlopen('http://127.0.0.1:' + os.environ['PORT'] + '/_stcore/health', timeout=4)"
CMD exec python -m app.web.start --server.port=$PORT --server.address=0.0.0.0 --server.headless=true --browser.gatherUsageStats=false
