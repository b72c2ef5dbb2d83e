% Directed graphs as sorted lists of Vertex-Neighbours.
:- module(ugraphs, [
    add_edges/3,
    add_vertices/3,
    complement/2,
    compose/3,
    connect_ugraph/3,
    del_edges/3,
    del_vertices/3,
    edges/2,
    neighbors/3,
    neighbours/3,
    reachable/3,
    top_sort/2,
    top_sort/3,
    transitive_closure/2,
    transpose_ugraph/2,
    ugraph_union/3,
    vertices/2,
    vertices_edges_to_ugraph/3
]).

% vertices(+Graph, -Vertices): the vertices.
vertices(Graph, Vertices) :-
    pairs_keys(Graph, Vertices).

% vertices_edges_to_ugraph(+Vertices, +Edges, -Graph): the ends of the edges are vertices too.
vertices_edges_to_ugraph(Vertices, Edges, Graph) :-
    edge_ends(Edges, Ends),
    append(Vertices, Ends, All),
    sort(All, Sorted),
    sort(Edges, SortedEdges),
    group_edges(Sorted, SortedEdges, Graph).

edge_ends([], []).
edge_ends([From-To|Edges], [From, To|Ends]) :-
    edge_ends(Edges, Ends).

group_edges([], _, []).
group_edges([Vertex|Vertices], Edges, [Vertex-Neighbours|Graph]) :-
    edges_from(Edges, Vertex, Neighbours, Rest),
    group_edges(Vertices, Rest, Graph).

edges_from([From-To|Edges], Vertex, [To|Neighbours], Rest) :-
    From == Vertex,
    !,
    edges_from(Edges, Vertex, Neighbours, Rest).
edges_from(Rest, _, [], Rest).

% edges(+Graph, -Edges): the edges as From-To.
edges(Graph, Edges) :-
    graph_edges(Graph, Edges, []).

graph_edges([], Tail, Tail).
graph_edges([Vertex-Neighbours|Graph], Edges, Tail) :-
    vertex_edges(Neighbours, Vertex, Edges, Edges1),
    graph_edges(Graph, Edges1, Tail).

vertex_edges([], _, Tail, Tail).
vertex_edges([To|Neighbours], Vertex, [Vertex-To|Edges], Tail) :-
    vertex_edges(Neighbours, Vertex, Edges, Tail).

% add_vertices(+Graph0, +Vertices, -Graph): adds vertices.
add_vertices(Graph0, Vertices, Graph) :-
    isolated(Vertices, Isolated),
    sort(Isolated, Sorted),
    ugraph_union(Graph0, Sorted, Graph).

isolated([], []).
isolated([Vertex|Vertices], [Vertex-[]|Graph]) :-
    isolated(Vertices, Graph).

% del_vertices(+Graph0, +Vertices, -Graph): takes vertices and their edges out.
del_vertices(Graph0, Vertices, Graph) :-
    sort(Vertices, Gone),
    drop_vertices(Graph0, Gone, Graph).

drop_vertices([], _, []).
drop_vertices([Vertex-Neighbours|Graph0], Gone, Graph) :-
    (   ord_memberchk(Vertex, Gone)
    ->  Graph = Graph1
    ;   ord_subtract(Neighbours, Gone, Kept),
        Graph = [Vertex-Kept|Graph1]
    ),
    drop_vertices(Graph0, Gone, Graph1).

% add_edges(+Graph0, +Edges, -Graph): adds edges From-To.
add_edges(Graph0, Edges, Graph) :-
    vertices_edges_to_ugraph([], Edges, Added),
    ugraph_union(Graph0, Added, Graph).

% del_edges(+Graph0, +Edges, -Graph): takes edges out.
del_edges(Graph0, Edges, Graph) :-
    vertices_edges_to_ugraph([], Edges, Gone),
    graph_subtract(Graph0, Gone, Graph).

graph_subtract([], _, []).
graph_subtract([Vertex-Neighbours|Graph0], Gone, [Vertex-Kept|Graph]) :-
    (   neighbours(Vertex, Gone, Lost)
    ->  ord_subtract(Neighbours, Lost, Kept)
    ;   Kept = Neighbours
    ),
    graph_subtract(Graph0, Gone, Graph).

% ugraph_union(+Graph1, +Graph2, -Graph): Graph has the vertices and edges of both.
ugraph_union([], Graph, Graph) :-
    !.
ugraph_union(Graph, [], Graph) :-
    !.
ugraph_union([V1-N1|Graph1], [V2-N2|Graph2], Graph) :-
    compare(Order, V1, V2),
    union_step(Order, V1-N1, Graph1, V2-N2, Graph2, Graph).

union_step(<, Node, Graph1, V2-N2, Graph2, [Node|Graph]) :-
    ugraph_union(Graph1, [V2-N2|Graph2], Graph).
union_step(=, V-N1, Graph1, _-N2, Graph2, [V-N|Graph]) :-
    ord_union(N1, N2, N),
    ugraph_union(Graph1, Graph2, Graph).
union_step(>, V1-N1, Graph1, Node, Graph2, [Node|Graph]) :-
    ugraph_union([V1-N1|Graph1], Graph2, Graph).

% neighbors(+Vertex, +Graph, -Vertices): the vertices that edges from Vertex lead to.
neighbors(Vertex, Graph, Neighbours) :-
    neighbours(Vertex, Graph, Neighbours).

% neighbours(+Vertex, +Graph, -Vertices): neighbors/3.
neighbours(Vertex, [V-Neighbours0|Graph], Neighbours) :-
    (   V == Vertex
    ->  Neighbours = Neighbours0
    ;   V @< Vertex
    ->  neighbours(Vertex, Graph, Neighbours)
    ).

% transpose_ugraph(+Graph, -Transposed): every edge turned round.
transpose_ugraph(Graph, Transposed) :-
    vertices(Graph, Vertices),
    edges(Graph, Edges),
    flip_edges(Edges, Flipped),
    vertices_edges_to_ugraph(Vertices, Flipped, Transposed).

flip_edges([], []).
flip_edges([From-To|Edges], [To-From|Flipped]) :-
    flip_edges(Edges, Flipped).

% compose(+Graph1, +Graph2, -Graph): Graph has an edge for each edge of Graph1 that is followed by an edge of Graph2.
compose(Graph1, Graph2, Graph) :-
    vertices(Graph1, Vertices1),
    vertices(Graph2, Vertices2),
    ord_union(Vertices1, Vertices2, Vertices),
    list_to_assoc(Graph1, Map1),
    list_to_assoc(Graph2, Map2),
    compose_vertices(Vertices, Map1, Map2, Graph).

compose_vertices([], _, _, []).
compose_vertices([Vertex|Vertices], Map1, Map2, [Vertex-Neighbours|Graph]) :-
    neighbours_in(Vertex, Map1, Middle),
    union_of_neighbours(Middle, Map2, Neighbours),
    compose_vertices(Vertices, Map1, Map2, Graph).

neighbours_in(Vertex, Map, Neighbours) :-
    (   get_assoc(Vertex, Map, Neighbours0)
    ->  Neighbours = Neighbours0
    ;   Neighbours = []
    ).

union_of_neighbours(Vertices, Map, Neighbours) :-
    all_neighbours(Vertices, Map, Sets),
    ord_union(Sets, Neighbours).

all_neighbours([], _, []).
all_neighbours([Vertex|Vertices], Map, [Set|Sets]) :-
    neighbours_in(Vertex, Map, Set),
    all_neighbours(Vertices, Map, Sets).

% complement(+Graph, -Complement): Complement has the edges that Graph lacks.
complement(Graph, Complement) :-
    vertices(Graph, Vertices),
    complement_each(Graph, Vertices, Complement).

complement_each([], _, []).
complement_each([Vertex-Neighbours|Graph], Vertices, [Vertex-Others|Complement]) :-
    ord_add_element(Neighbours, Vertex, Excluded),
    ord_subtract(Vertices, Excluded, Others),
    complement_each(Graph, Vertices, Complement).

% reachable(+Vertex, +Graph, -Vertices): Vertex itself and all it leads to.
reachable(Vertex, Graph, Reachable) :-
    list_to_assoc(Graph, Map),
    reach([Vertex], Map, [Vertex], Reachable).

reach([], _, Reachable, Reachable).
reach([Vertex|Queue], Map, Reached0, Reachable) :-
    neighbours_in(Vertex, Map, Neighbours),
    ord_union(Reached0, Neighbours, Reached1, New),
    append(Queue, New, Queue1),
    reach(Queue1, Map, Reached1, Reachable).

% transitive_closure(+Graph, -Closure): Warshall's algorithm.
transitive_closure(Graph, Closure) :-
    warshall(Graph, Graph, Closure).

warshall([], Closure, Closure).
warshall([Vertex-_|Graph], Closure0, Closure) :-
    neighbours(Vertex, Closure0, Neighbours),
    through(Closure0, Vertex, Neighbours, Closure1),
    warshall(Graph, Closure1, Closure).

through([], _, _, []).
through([V-Neighbours0|Graph0], Vertex, Added, [V-Neighbours|Graph]) :-
    (   ord_memberchk(Vertex, Neighbours0)
    ->  ord_union(Neighbours0, Added, Neighbours)
    ;   Neighbours = Neighbours0
    ),
    through(Graph0, Vertex, Added, Graph).

% top_sort(+Graph, -Vertices): each vertex comes before the vertices that its edges lead to; fails if there is a
% cycle.
top_sort(Graph, Sorted) :-
    incoming_counts(Graph, Counts),
    sources(Graph, Counts, Sources),
    list_to_assoc(Graph, Map),
    length(Graph, N),
    take_sources(Sources, Map, Counts, N, Sorted).

% top_sort(+Graph, ?Tail, -Vertices): the same as a list that ends in Tail.
top_sort(Graph, Tail, Sorted) :-
    top_sort(Graph, Vertices),
    append(Vertices, Tail, Sorted).

incoming_counts(Graph, Counts) :-
    vertices(Graph, Vertices),
    zero_counts(Vertices, Zeros),
    list_to_assoc(Zeros, Counts0),
    edges(Graph, Edges),
    count_edges(Edges, Counts0, Counts).

zero_counts([], []).
zero_counts([Vertex|Vertices], [Vertex-0|Zeros]) :-
    zero_counts(Vertices, Zeros).

count_edges([], Counts, Counts).
count_edges([_-To|Edges], Counts0, Counts) :-
    get_assoc(To, Counts0, N0),
    N is N0 + 1,
    put_assoc(To, Counts0, N, Counts1),
    count_edges(Edges, Counts1, Counts).

sources([], _, []).
sources([Vertex-_|Graph], Counts, Sources) :-
    (   get_assoc(Vertex, Counts, 0)
    ->  Sources = [Vertex|Sources1]
    ;   Sources = Sources1
    ),
    sources(Graph, Counts, Sources1).

take_sources([], _, _, 0, []).
take_sources([Vertex|Sources], Map, Counts0, N0, [Vertex|Sorted]) :-
    N is N0 - 1,
    neighbours_in(Vertex, Map, Neighbours),
    release(Neighbours, Counts0, Counts, Freed, Sources),
    take_sources(Freed, Map, Counts, N, Sorted).

release([], Counts, Counts, Sources, Sources).
release([Vertex|Vertices], Counts0, Counts, Freed, Sources) :-
    get_assoc(Vertex, Counts0, N0),
    N is N0 - 1,
    put_assoc(Vertex, Counts0, N, Counts1),
    (   N =:= 0
    ->  Freed = [Vertex|Freed1]
    ;   Freed = Freed1
    ),
    release(Vertices, Counts1, Counts, Freed1, Sources).

% connect_ugraph(+Graph, -Start, -Connected): adds a vertex before all others with an edge to each of them.
connect_ugraph([], 0, []) :-
    !.
connect_ugraph(Graph, Start, [Start-Vertices|Graph]) :-
    vertices(Graph, Vertices),
    Graph = [First-_|_],
    vertex_before(First, Start).

vertex_before(Vertex, Start) :-
    (   integer(Vertex)
    ->  Start is Vertex - 1
    ;   Start = 0
    ).
