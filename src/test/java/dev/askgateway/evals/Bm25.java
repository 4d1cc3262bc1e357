package dev.askgateway.evals;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.QueryBuilder;

/** Lucene's BM25 (k1 1.2, b 0.75) over the turns of one conversation; any word of a question may match. */
final class Bm25 implements AutoCloseable {
  private static final BM25Similarity SIMILARITY = new BM25Similarity(1.2f, 0.75f);

  /** The longer list of English function words, which PostgreSQL's {@code english} drops too. */
  private static final CharArraySet STOP_WORDS =
      new CharArraySet(Arrays.asList("""
          i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she
          her hers herself it its itself they them their theirs themselves what which who whom this that
          these those am is are was were be been being have has had having do does did doing a an the and
          but if or because as until while of at by for with about against between into through during
          before after above below to from up down in out on off over under again further then once here
          there when where why how all any both each few more most other some such no nor not only own same
          so than too very s t can will just don should now
          """.strip().split("\\s+")), true);

  private final Analyzer analyzer = new EnglishAnalyzer(STOP_WORDS);
  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private final DirectoryReader reader;
  private final IndexSearcher searcher;

  Bm25(List<String> texts) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig(analyzer).setSimilarity(SIMILARITY);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (String text : texts) {
        Document document = new Document();
        document.add(new TextField("text", text, Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    reader = DirectoryReader.open(directory);
    searcher = new IndexSearcher(reader);
    searcher.setSimilarity(SIMILARITY);
  }

  /** Positions of the texts that share a word with the question, best first. */
  int[] ranked(String question) throws IOException {
    Query query =
        new QueryBuilder(analyzer).createBooleanQuery("text", question, BooleanClause.Occur.SHOULD);
    return query == null
        ? new int[0]
        : Arrays.stream(searcher.search(query, reader.maxDoc()).scoreDocs)
            .mapToInt(hit -> hit.doc)
            .toArray();
  }

  @Override
  public void close() throws IOException {
    reader.close();
    directory.close();
    analyzer.close();
  }
}
